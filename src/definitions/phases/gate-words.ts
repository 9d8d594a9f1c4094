import { announcesEvidence } from "./indicators.ts";

/** Tells whether a heading or label announces what must hold at the end of a phase. */
export function announcesGate(text: string): boolean {
  const words = plainWords(text);
  return !elsewhere.test(words) && (gateWords.test(words) || announcesEvidence(words));
}

/** Tells whether a heading names a gate by a word that may mean less: it does where a phase has no better. */
export function mayBeGate(text: string): boolean {
  return /^(?:phase \d+ )?(?:final |self-?)?(?:validation|verification|check ?lists?|checks?|verify)\s*:?$/i.test(
    plainWords(text),
  );
}

const gateWords =
  /\bgates?\b|\bcheckpoints?\b|\bexit (?:criteria|criterion|conditions?|checks?|checklist)\b|\b(?:completion|acceptance|success|done|validation|verification) (?:criteria|criterion|conditions?|check ?lists?|requirements?)\b|^acceptance\b|\bdefinition of done\b|\b(?:phase|quality|sign-?off)(?: \d+)?(?: \w+)? check ?lists?\b|\bsign-?off\b|^done when\b|\bbefore (?:you )?(?:advanc|continu|proceed|mov|go)(?:e|ing)?\b/i;
const elsewhere =
  /\bentry\b|\bprerequisites?\b|\bprevious\b|\bexamples?\b|\bsamples?\b|\btroubleshoot|\bif (?:the |a )?(?:gate|checkpoint|any)\b|\b(?:gate|checkpoint)s? (?:fails?|failure|failed)\b|\bafter\b|\bwhy\b|\brationale\b|\babout\b|\bpassed\b/i;

/** The words of a heading or label, without signs and pictures. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}:'’\s_-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
