import { oneLine } from "../../files/single-spaced.ts";
import type { BlockContext } from "../markdown/block-context.ts";
import { isOptionalContext, wordsOf } from "../markdown/context-kind.ts";
import { hasWords, joinLines, type Line, sliceLine } from "../markdown/text-lines.ts";
import { meaningOf, statesRule } from "../words/meaning.ts";
import { besidesApproval, isApproval } from "./approvals.ts";
import { type Demands, noDemands, unclear } from "./demand.ts";
import { asSnake, isSnake, type Name, namesIn } from "./names.ts";
import { fieldDemand, plain, type Reading, sentenceDemands } from "./sentences.ts";

/** What a box asks for: the field that it names, with its words; else a yes to its own words. `below` is what its sub-list says of it. */
export function boxDemands(lines: readonly Line[], below: readonly Line[] = [], reading: Reading = plain): Demands {
  const whole = joinLines(lines);
  const isAsking = ({ demands, unclear }: Demands): boolean => demands.length + unclear.length > 0;
  const saying = { ...reading, isBox: true };
  if (isAsking(sentenceDemands(lines, saying, true))) return sentenceDemands([...lines, ...below], saying, true);
  const name = boxName(whole);
  if (name === undefined) return misnamed(whole) ?? promise(asSnake(whole.text), whole, reading);
  const isBracketed =
    whole.text.slice(0, name.start).trimEnd().endsWith("(") && whole.text.slice(name.end).trimStart().startsWith(")");
  const after = sliceLine(whole, name.end);
  const isRuled = statesRule(after, reading.isField);
  const isNext = goesOn.test(after.text) || (isRuled && after.text.trimStart().startsWith(","));
  const isTold = isSnake(name.field) || isBracketed || isNext || isLead(whole.text.slice(0, name.start));
  if (!isTold && isRuled) return unclear(whole.line, `${name.field} ${inTheMiddle}`);
  if (!isTold) return promise(name.field, whole, reading);
  const [number = ""] = /^\W*(?:T\d+|(?:task\s+)?\d+(?:\.\d+)*[.):]?)\s+/i.exec(whole.text) ?? [];
  const before = sliceLine(whole, Math.min(number.length, name.start), name.start);
  const isList = whole.text.slice(name.start, name.end).endsWith("[]");
  const words = joinLines([
    ...(isList ? [{ text: "list,", marks: [], line: whole.line }] : []),
    ...(before.text.trim() === "" ? [] : [{ ...before, text: `${before.text},` }]),
    after,
    ...below,
  ]);
  return fieldDemand(name.field, words, whole, { ...reading, isBox: true });
}

const inTheMiddle = "comes in the middle of its own rule; write the name first, then a colon and the rule";

/** What follows a name that a box is about: "Coverage `cov`: number". */
const goesOn = /^\s*[:(=<>≤≥–—]|^\s+-\s/u;

/** Nothing but words that hand the name over: "Provide", "(optional)", "The". */
function isLead(before: string): boolean {
  return wordsOf(before).every((word) => leads.has(word));
}

const leads = new Set("please provide submit supply the a an your optional optionally required mandatory".split(" "));

/** `limits.cpu`: integer. What begins the box is no name, and what stands behind it says of what type it is. */
function misnamed(whole: Line): Demands | undefined {
  const [first] = whole.marks;
  const isSaid = first?.kind === "code" && !hasWords(whole.text.slice(0, first.start));
  const after = sliceLine(whole, first?.end ?? 0);
  if (!isSaid || !after.text.trimStart().startsWith(":")) return undefined;
  const meaning = meaningOf(after, { field: "", isBox: false, isField: () => false });
  const isTyped = !("unclear" in meaning) && meaning.type !== "string";
  return isTyped ? unclear(whole.line, `${first.text} is not a field name: use letters, digits and _`) : undefined;
}

/** What the box of an item asks for; one about somebody's approval asks a person, and for evidence only where it says of what kind. */
export function itemDemands(
  { lines, place }: { readonly lines: readonly Line[]; readonly place: BlockContext },
  below: readonly Line[] = [],
  isField: Reading["isField"] = plain.isField,
): Demands {
  const isRequired = !isOptionalContext(place);
  const read = boxDemands(lines, below, { isRequired, isField });
  return isApproval(joinLines(lines).text) ? besidesApproval(read, boxName(joinLines(lines))?.field) : read;
}

/** The name that a box is called by: its one name in backticks, or a bold or plain name before a colon. */
export function boxName(line: Line): Name | undefined {
  const names = namesIn(line);
  const [first, second] = names.filter(({ isCode }) => isCode);
  if (first !== undefined && (second === undefined || isFirst(line, first))) return first;
  const bold = names.find((name) => !name.isCode && isFirst(line, name) && isLabel(line, name));
  return second === undefined ? bold : undefined;
}

function isFirst({ text }: Line, { start }: Name): boolean {
  return !hasWords(text.slice(0, start));
}

function isLabel({ text }: Line, { start, end }: Name): boolean {
  const next = text.slice(end).trimStart().slice(0, 1);
  return [":", "(", "–", "—"].includes(next) || text.slice(start, end).endsWith(":");
}

function promise(field: string, whole: Line, { isRequired }: Reading): Demands {
  const description = oneLine(whole.text);
  if (field === "") return unclear(whole.line, "the checkbox has no text");
  const isOptional = /^\W*(?:optional|nice to have|recommended)\b|\((?:optional|if applicable)\)\W*$/i.test(
    description,
  );
  return yes(field, description, whole.line, isRequired && !isOptional);
}

/** A yes to some words, as a box asks for it. */
export function yes(field: string, description: string, line: number, required: boolean): Demands {
  const asked = { field, type: "boolean", rules: [], mayBeEmpty: false, required, description, line } as const;
  return { ...noDemands, demands: [{ ...asked, isBox: true }] };
}
