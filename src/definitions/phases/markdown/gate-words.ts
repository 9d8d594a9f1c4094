import { announcesEvidence } from "../demands/indicators.ts";

/** Tells whether a heading or label announces what must hold at the end of a phase. */
export function announcesGate(text: string): boolean {
  const words = plainWords(text);
  return !elsewhere.test(words) && (gateWords.some((pattern) => pattern.test(words)) || listsEvidence(words));
}

/** Tells whether a heading or label announces a list of evidence, each entry of which is asked for. */
export function listsEvidence(text: string): boolean {
  const words = withoutNumber(text);
  return announcesEvidence(words) || (listWords.test(words) && !elsewhere.test(words));
}

/** Tells whether a heading names a gate by a word that may mean less: it does where a phase has no better. */
export function mayBeGate(text: string): boolean {
  const words = withoutNumber(plainWords(text));
  return mayBe.test(words) && !elsewhere.test(words);
}

const measures = "(?:criteria|criterion|conditions?|check ?lists?|requirements?)";
const gateWords = [
  /\bgates?\b|\bcheckpoints?\b|\bsign-? ?offs?\b|\bdefinition of done\b|\bdod\b|\bgo no-? ?go\b|^acceptance\b/i,
  new RegExp(
    `\\b(?:exit|completion|acceptance|success|done|validation|verification|pass|passing|transition|advancement|hand-? ?off|hand-?over|closing|closure|close-?out|readiness|quality|graduation) ${measures}`,
    "i",
  ),
  /\b(?:exit|completion|acceptance) checks?\b/i,
  /\b(?:phase|quality|stage|milestone)(?: \d+)?(?: \w+)? check ?lists?\b|\b(?:phase|stage)(?: \d+)? completion\b/i,
  /^(?:done|complete|completed|finished|ready|passes|phase(?: \d+)? (?:is )?(?:done|complete|completed|finished))(?: only)? (?:when|if|once)\b/i,
  /\bready (?:to|for) (?:the )?(?:move|proceed|advance|continue|go|leave|next|phase)\b/i,
  /\b(?:requirements?|conditions?|criteria|needed|required|what it takes|must hold) (?:to|for|before) (?:be able to )?(?:the )?(?:proceed|advanc|continu|mov|pass|leav|exit|complet|next|go)/i,
  /^(?:what )?(?:must|has to|needs to) (?:be true|hold|be done)\b|^what done (?:looks like|means)\b|^(?:how )?to (?:complete|finish|leave|pass|exit) (?:this|the) (?:phase|stage)\b/i,
  /\bbefore (?:you )?(?:(?:can |may )?(?:advanc|continu|proceed|mov|go|leav)(?:e|ing)?\b|(?:the )?next phase\b)/i,
];
const listWords =
  /^(?:(?:phase|stage)(?: \d+)? )?(?:evidence (?:to be|that|which|we|you|expected|collected|and|deliverables?)\b.*|(?:required |mandatory )?proofs?(?: (?:of (?:completion|work|done)|required|needed))?|(?:required|mandatory) (?:outputs?|artifacts?|artefacts?|deliverables?|proofs?|documents?|data)|what (?:you )?(?:to|must|need to|should|have to) (?:provide|submit|hand in|prove|report)|to be (?:provided|submitted|handed in))\s*:?$/i;
const mayBe =
  /^(?:(?:phase|stage)(?: \d+)? )?(?:(?:final|self|quality|review|validation|verification|acceptance|pre-?merge|sanity|completeness|key|expected|main|phase)[ -]?)*(?:validations?|verifications?|check ?lists?|checks?|verify|deliverables?|outputs?|artifacts?|artefacts?|exit|completion|acceptance|success|stop and (?:check|verify)|wrap-? ?up|finish line|assurance|results|requirements|(?:[\p{L}-]+ ){1,3}check ?lists?)\s*:?$/iu;
const elsewhere =
  /\bentry\b|\bprerequisites?\b|\bprevious\b|\bexamples?\b|\bsamples?\b|\btroubleshoot|\bif (?:the |a )?(?:gate|checkpoint|any)\b|\b(?:gate|checkpoint)s? (?:fails?|failure|failed)\b|\bafter\b|\bwhy\b|\brationale\b|\babout\b|\bpassed\b/i;

/** The words of a heading or label, without signs and pictures. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}:'’\s_-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** "3. Evidence", "Step 4: Checklist": what is numbered is called by what follows. */
function withoutNumber(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]*(?:(?:step|section|part)\s+)?\d[\d.]*\s*[.:)–—-]*\s+(?=\p{L})/iu, "");
}
