import type { Asking } from "../demands/prose.ts";
import type { Place } from "./blocks.ts";
import { announcesGate, listsEvidence, plainWords } from "./gate-words.ts";
import { phaseTitle, taskTitle } from "./headings.ts";

/** What a place says of the text in it: a list of evidence, a gate, or nothing. */
export function askingAt({ headings, label, intro }: Place): Asking {
  const nearest = headings.at(-1) ?? "";
  if (isExample(label) || isExample(nearest) || isExample(intro)) return "nothing";
  const own = headings.filter((heading) => phaseTitle(heading) === undefined && taskTitle(heading) === undefined);
  const isListing =
    [label, intro].some((text) => listsEvidence(withoutWish(text))) ||
    own.some((heading) => listsEvidence(withoutWish(plainWords(heading))));
  if (isListing) return "listed";
  const isGate = own.some(announcesGate) || announcesGate(label) || (intro !== "" && announcesGate(intro));
  if (!isGate) return "nothing";
  return /\b(?:provide|submit|supply|report|record|hand in)\b[^.]*[:：]\s*$/i.test(intro) ? "listed" : "gate";
}

/** Tells whether what is asked for here is asked of a task alone, not of its phase. */
export function isOfTask({ inTask, label, headings, intro }: Place): boolean {
  const nearest = [headings.at(-1) ?? "", label, intro];
  return (
    inTask &&
    !nearest.some((text) =>
      /\bphase\b.*\b(?:gate|checkpoint|checklist|criteria)\b|\bvalidation gate\b|\bquality gate\b|\bcheckpoint\b/i.test(
        plainWords(text),
      ),
    )
  );
}

/** Tells whether a place shows how evidence may look. */
export function isExamplePlace({ headings, label, intro }: Place): boolean {
  return isExample(label) || isExample(headings.at(-1) ?? "") || isExample(intro);
}

/** Tells whether what stands here is left to the reader's choice: the nearest word on that counts. */
export function isOptionalPlace({ headings, label, intro }: Place): boolean {
  const own = headings.filter((heading) => phaseTitle(heading) === undefined && taskTitle(heading) === undefined);
  for (const text of [intro, label, ...own.reverse()]) {
    const words = plainWords(text);
    if (optionWords.test(words)) return true;
    if (/\b(?:required|mandatory|must|not optional)\b/i.test(words)) return false;
  }
  return false;
}

const optionWords =
  /^(?:optional(?:ly)?|nice to have|recommended|good to have|bonus|if (?:applicable|available|any))\b|(?<!\bnot )\b(?:optional|if applicable|nice to have|recommended)\s*:?$|\b(?:is|are) optional\b/i;

/** "Optional evidence:" announces evidence as well. */
function withoutWish(text: string): string {
  return text
    .replace(/^\W*(?:optional|nice to have|recommended|additional|bonus)\s+/i, "")
    .replace(/\s*\(?(?:optional|if applicable|recommended|nice to have)\)?(?=\s*:?\s*$)/i, "");
}

function isExample(text: string): boolean {
  return /\bexamples?\b|\bsamples?\b|\bfor instance\b/i.test(plainWords(text)) && !/\bwithout examples?\b/i.test(text);
}
