import type { ContextKind } from "../markdown/context-kind.ts";
import { hasWords, joinLines, type Line, sliceLine } from "../markdown/text-lines.ts";
import { statesRule } from "../words/meaning.ts";
import { isApproval } from "./approvals.ts";
import { type Demands, nameless, noDemands, unclear } from "./demand.ts";
import { namesIn } from "./names.ts";
import { type Reading, sentencesOf } from "./sentences.ts";

/** What a paragraph in a gate asks for: nothing that a gate could hold, so that its author is told. */
export function paragraphDemands(lines: readonly Line[], kind: ContextKind, isField: Reading["isField"]): Demands {
  const unlisted = lines.find((line, at) => isEntry(line, kind) || (at === 0 && isRuleOfName(line, isField)));
  if (unlisted !== undefined) return unclear(unlisted.line, `"${unlisted.text.trim()}" ${unmarked}`);
  const whole = joinLines(lines);
  const text = whole.text.trim();
  const isLeadIn = [":", "："].includes(text.slice(-1));
  if (isLeadIn || isApproval(text)) return noDemands;
  const sentences = sentencesOf(whole).map(({ start, end }) => sliceLine(whole, start, end));
  const isRuled = statesRule(whole, isField);
  const isOfField = (line: Line): boolean => namesIn(line).some(({ field, isCode }) => isCode && isField(field));
  if (isOfField(whole) && (isRuled || sentences.some((one) => isOfField(one) && rulesName(one, isField))))
    return unclear(whole.line, `"${text}" ${apart}`);
  return sentences.some((one) => asks(one, isField))
    ? nameless(whole.line, `"${text}" is in the gate but names no field`)
    : noDemands;
}

const unmarked = "names a field but is not a list entry; write - before it";
const apart = "has a rule for a field, but not next to the field; move it there";

/** In a paragraph under "Evidence", a line that begins with a name was meant as an entry; in a gate, with one in backticks. */
function isEntry(line: Line, kind: ContextKind): boolean {
  const [first] = namesIn(line);
  if (first === undefined || (kind !== "evidence" && !first.isCode) || hasWords(line.text.slice(0, first.start)))
    return false;
  return ["", ":", "(", "=", "–", "—", "-"].includes(line.text.slice(first.end).trimStart().slice(0, 1));
}

/** "`q` is greater than 7": a name, and nothing but a rule behind it. */
function isRuleOfName(line: Line, isField: Reading["isField"]): boolean {
  const [first] = namesIn(line);
  if (first?.isCode !== true || first.start > 0) return false;
  const after = sliceLine(line, first.end);
  return !modal.test(after.text) && statesRule(after, isField);
}

/** "Proceed only if `q` is greater than 7": what follows a name says what it must be. */
function rulesName(sentence: Line, isField: Reading["isField"]): boolean {
  return namesIn(sentence).some(({ isCode, end }) => isCode && statesRule(sliceLine(sentence, end), isField));
}

/** Words that ask for something to be held; not where they only say of the gate itself when one may go on. */
function asks(sentence: Line, isField: Reading["isField"]): boolean {
  const { text } = sentence;
  const isCounted = /[\d%<>≤≥]/.test(text);
  const isOnward = !isCounted && onward.test(text);
  if (!isCounted && ofGate.test(text)) return false;
  return statesRule(sentence, isField, wanting.test(text) && !isOnward) || rulesName(sentence, isField);
}

const modal = /\b(?:must|shall|should|required|mandatory)\b/i;
const wanting = /\b(?:needs?|ha(?:s|ve) to|make sure|ensure|only (?:if|when|once))\b/i;
const onward = /\b(?:proceed|continue|advance|move on|go on)\b/i;
/** "This phase must be complete before the next one", "All of these boxes must be ticked". */
const ofGate =
  /^(?:[^:]{0,20}:)?\W*(?:this|the|each|every|all)(?: of)?(?: the| these)? (?:phase|gate|checkpoint|box|boxes|criteria|items)\b/iu;
