import type { Line, Mark } from "../markdown/lines.ts";
import { asSnake, isSnake } from "./names.ts";

/** The bold texts of a line that are names of evidence; right after the words that ask (`from`) any is one, whatever follows it. */
export function boldNames(
  line: Line,
  from: number,
): { readonly field: string; readonly start: number; readonly end: number }[] {
  return line.marks
    .filter((mark) => mark.kind === "strong" && (isAskedFor(line, mark, from) || isBoldName(line, mark)))
    .map(({ text, start, end }) => {
      const words = plainOf(text);
      return { field: isSnake(words) ? words.toLowerCase() : asSnake(words), start, end };
    });
}

function isAskedFor({ text, marks }: Line, mark: Mark, from: number): boolean {
  const words = plainOf(mark.text);
  const between = text.slice(from, mark.start);
  const isAtOnce = mark.start >= from && determiners.test(between);
  const hasCode = marks.some(({ kind, start, end }) => kind === "code" && start >= mark.start && end <= mark.end);
  const isSet = /:\s*$/.test(mark.text) || /^\s*[:(]/.test(text.slice(mark.end));
  const isStress = stressed.test(words) && !(isSet && things.test(words));
  return isAtOnce && !hasCode && hasShape(words) && !isStress && !labels.test(words);
}

function isBoldName({ text }: Line, { text: bold, start, end }: Mark): boolean {
  const words = plainOf(bold);
  if (!hasShape(words)) return false;
  if (isSnake(words)) return true;
  if (/^[\p{Lu}\s]+$/u.test(words) && !/\s/.test(words)) return false;
  if (stressed.test(words) || /\b(?:evidence|required|checkpoint|must|approval|gate)\b/i.test(words)) return false;
  const after = text.slice(end);
  const isSet = /[:.]$/.test(bold.trim()) || /^\s*(?:$|[:(,;.–—-])/.test(after) || start === 0;
  return (
    isSet ||
    /^\s*(?:must|should|is|are|as|and|with|which|that|greater|more|at|non|between|exactly|less|fewer|count|list|flag|to)\b/i.test(
      after,
    )
  );
}

function hasShape(words: string): boolean {
  return /^\p{L}[\p{L}\p{M}\p{N}_ -]*$/u.test(words) && words.split(/\s+/).length <= 6;
}

function plainOf(bold: string): string {
  return bold.trim().replace(/[:.]$/, "").trim();
}

const determiners =
  /^[^\p{L}\p{N}]*(?:(?:the|an?|your|its|following|field|fields|value|values|evidence|for|named|called|as)\s+)*[^\p{L}\p{N}]*$/iu;

/** Bold for the sake of stress, or the label of a remark. */
const stressed =
  /^(?:(?:all|any|both|each|every|no|not|never|always|only|really|exactly|before|after|complete(?:ly)?|full|whole|entire|exact|critical|important|note|notes|warning|caution|tip|hint|examples?|mandatory|optional|purpose|goal|deliverables?|status|tasks?|steps?|stop|now|first|then|next|yes|none|actual|real|format|type|why|how|what|when|where|remember|constraints?|context|must|required|at least|all of|one of|each of|none of)|(?:phase|task|step) \d.*|(?:do not|don't|never|before|after|not|stop|only|always|if|when|see|note|make sure|remember)\b.*)$/i;
/** Labels elsewhere, and names where somebody asks for them: "Must provide **steps**: a list". */
const things = /^(?:steps|notes|tasks|examples?|deliverables|constraints|context|goal|purpose|status|format)$/i;
const labels =
  /^(?:(?:human |manual )?approval\b|evidence\b|required\b|checkpoint\b|must\b|gate$|(?:validation|quality) gate)/i;
