import type { Line } from "../markdown/lines.ts";
import { meaningOf } from "../words/meaning.ts";

/** Finds the words by which a line asks for evidence, as seed 004 knows them: "must provide", "required:", "evidence:", "checkpoint:". */
export function findIndicator(
  { text, marks }: Pick<Line, "text" | "marks">,
  inGate: boolean,
): { readonly start: number; readonly end: number } | undefined {
  for (const match of text.matchAll(indicators)) {
    const before = text.slice(0, match.index).replace(/^.*[.!?;]\s/s, "");
    const isAboutName = isSetApart(text.slice(0, match.index), text.slice(match.index + match[0].length), marks);
    if (inGate || isAboutName || isAboutEvidence(match[0], before))
      return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** Tells whether a lead-in, label or heading announces a list of evidence. */
export function announcesEvidence(text: string): boolean {
  const words = text.replaceAll(/[^\p{L}\p{N}:'’\s-]/gu, " ").trim();
  if (/\b(?:not|no longer) required\b|\bapproval\b|\bexamples?\b/i.test(words)) return false;
  return (
    /^(?:(?:the|your|all|phase \d+|checkpoint|required|gate|mandatory|following|submission)\s+)*evidence(?:\s+(?:required|needed|requirements?|fields?|items?|checklist|table|to (?:provide|submit|collect)|for\b.*|you must\b.*|must\b.*))?\s*:?$/i.test(
      words,
    ) ||
    /^(?:checkpoint|required|gate)\s+(?:requirements?|fields?|evidence)\s*:?$/i.test(words) ||
    (/:\s*$/.test(words) && findIndicator({ text: words, marks: [] }, false) !== undefined)
  );
}

const indicators =
  /\b(?:must|shall|needs? to|ha(?:s|ve) to|(?:is|are) required to) (?:also )?(?:provide|submit|supply)\b(?:[^:.]{0,40}(?:evidence|fields?|following|values?)\s*:)?|\b(?:evidence|checkpoint)(?:\s+(?:required|needed|evidence|fields?|requirements?|items?))?(?:\s*\([^)]*\))?\s*:|^\W*(?:please |also )+(?:provide|submit|supply)\b|\brequired(?:\s+(?:evidence|fields?|values?|items?))?\s*:/gi;

/** "**Xi Count** — required: number": nothing stands before but a name, set apart, and what follows is said of its value. */
function isSetApart(before: string, after: string, marks: Line["marks"]): boolean {
  const [first] = marks;
  if (first === undefined || first.end > before.length || /[\p{L}\p{N}]/u.test(before.slice(0, first.start)))
    return false;
  const { certainty, rules } = meaningOf("", after, []);
  if (certainty === "assumed" && rules.length === 0) return false;
  return /^\s*(?:[:(–—]|-\s)[^\p{L}\p{N}]*$/u.test(before.slice(first.end)) || /:\s*$/.test(before.slice(0, first.end));
}

/** "Tools required:" and "the module must provide" ask for something else. */
function isAboutEvidence(indicator: string, before: string): boolean {
  const words = before.replaceAll(/[^\p{L}\p{N}_'\s-]/gu, " ").trim();
  const last = words.split(/\s+/).at(-1)?.toLowerCase() ?? "";
  if (/^required\s*:/i.test(indicator)) {
    return (
      words === "" ||
      /^(?:evidence|fields?|checkpoint|proof|values?|items?|data|outputs?|deliverables?|is|are|also|phase|gate|\d+)$/.test(
        last,
      ) ||
      last.includes("_")
    );
  }
  if (/:$/.test(indicator) && !/\b(?:provide|submit|supply)\b/i.test(indicator))
    return !/^(?:no|without|next|previous|last)$/.test(last);
  return !things.test(words);
}

/** Who provides something to a program provides no evidence. */
const things =
  /\b(?:modules?|functions?|class(?:es)?|apis?|services?|servers?|librar(?:y|ies)|components?|interfaces?|implementations?|code|callers?|clients?|endpoints?|methods?|users?|vendors?|providers?|systems?|plugins?|packages?|constructors?|customers?|dashboards?|databases?|tables?|files?|scripts?|tools?|commands?|pages?|responses?|requests?|schemas?|hosts?|frameworks?|headers?|payloads?|configs?|configurations?|objects?|types?|handlers?|middlewares?|adapters?|drivers?|templates?|forms?|jobs?|pipelines?|backends?|frontends?|apps?|applications?|products?|platforms?|programs?|parsers?|compilers?|contexts?|subclass(?:es)?|stores?|kernels?|it|they|which|that)$/i;
