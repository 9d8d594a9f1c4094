import type { Block } from "../markdown/blocks.ts";
import { askingAt } from "../markdown/gate-places.ts";
import { joinLines, type Line } from "../markdown/lines.ts";
import { bareAttribute, isRuleKey, keyedAttribute } from "./attribute-words.ts";
import { boxName } from "./checkboxes.ts";
import type { Unclear } from "./demand.ts";
import { codeNames, fieldsIn, leadingField, snakeWords } from "./fields.ts";
import { findIndicator } from "./indicators.ts";

/** Puts what stands below a field ("type: list", "min items: 1") into the entry that names it, as one line would say it. */
export function withAttributes(blocks: readonly Block[]): {
  readonly blocks: readonly Block[];
  readonly unclear: readonly Unclear[];
  readonly nameless: readonly Unclear[];
} {
  const kept: Block[] = [];
  const unclear: Unclear[] = [];
  const nameless: Unclear[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) continue;
    const entry = entryIn(block);
    if (entry === undefined) {
      kept.push(block);
      continue;
    }
    const end = endOf(blocks, at, block);
    const read = foldedInto(entry, blocks.slice(at + 1, end), block.place.depth + (block.kind === "heading" ? 0 : 1));
    const rest = withAttributes(read.rest);
    kept.push({ ...entry, lines: read.lines }, ...rest.blocks);
    unclear.push(...read.unclear, ...rest.unclear);
    nameless.push(...read.nameless, ...rest.nameless);
    at = end - 1;
  }
  return { blocks: kept, unclear, nameless };
}

type Item = Extract<Block, { kind: "item" }>;

/** An entry that names a field, where evidence is asked for; a heading that is nothing but a name is one, too. */
function entryIn(block: Block): Item | undefined {
  if (block.kind === "heading") {
    const { text } = block.line;
    const [name] = [...codeNames(block.line), ...snakeWords(block.line)];
    const place = { ...block.place, headings: block.place.headings.slice(0, -1) };
    const isName = name !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(0, name.start) + text.slice(name.end));
    return isName && askingAt(place) !== "nothing"
      ? { kind: "item", lines: [block.line], box: false, place }
      : undefined;
  }
  if (block.kind !== "item") return undefined;
  const line = joinLines(block.lines);
  const indicator = findIndicator(line, false);
  if (indicator !== undefined) return fieldsIn(line, indicator.end).length === 1 ? block : undefined;
  if (askingAt(block.place) === "nothing") return undefined;
  return boxName(block.lines) !== undefined || leadingField(line) !== undefined || isBoldAlone(line)
    ? block
    : undefined;
}

function isBoldAlone({ text, marks }: Line): boolean {
  const [first] = marks;
  return first?.kind === "strong" && !/[\p{L}\p{N}]/u.test(text.slice(0, first.start) + text.slice(first.end));
}

/** Where what belongs to an entry ends: at the next that stands no deeper. */
function endOf(blocks: readonly Block[], at: number, { kind, place: { depth } }: Block): number {
  const next = blocks.findIndex(
    (block, index) => index > at && (block.kind === "heading" || (kind !== "heading" && block.place.depth <= depth)),
  );
  return next === -1 ? blocks.length : next;
}

type Folded = {
  readonly lines: readonly Line[];
  readonly rest: readonly Block[];
  readonly unclear: readonly Unclear[];
  readonly nameless: readonly Unclear[];
};

/** The entry with what is said of it below, what else stands there, and what cannot be understood. */
function foldedInto(entry: Item, below: readonly Block[], depth: number): Folded {
  const said: string[] = [];
  const rest: Block[] = [];
  const unclear: Unclear[] = [];
  const nameless: Unclear[] = [];
  const own = entry.lines.filter((line, index) => index === 0 || keyedAttribute(line) === undefined);
  const first = joinLines(own);
  const isOpen = !entry.box || !/\p{L}/u.test(first.text.slice(first.marks[0]?.end ?? 0));
  const where = `below "${first.text.trim()}"`;
  const take = (line: Line, values: readonly string[]): boolean => {
    const whole = values.length === 0 ? line : { ...line, text: `${line.text.trimEnd()} ${values.join(", ")}` };
    const message = `"${whole.text.trim()}" ${where} is not understood`;
    if (namesOther(line)) {
      // The keys of an object are no evidence of their own, and nothing asks for them.
      if (isStructured(first.text))
        nameless.push({ line: line.line, message: `"${line.text.trim()}" ${where} is not checked` });
      return isStructured(first.text);
    }
    const attribute = keyedAttribute(whole) ?? (isOpen ? bareAttribute(whole) : undefined);
    if (attribute === "unclear") unclear.push({ line: line.line, message });
    else if (attribute !== undefined && attribute !== "detail") said.push(attribute.words);
    return attribute !== undefined;
  };
  for (const line of entry.lines) if (!own.includes(line)) take(line, []);
  below.forEach((block, index) => {
    const isKeyed = block.kind === "text" && block.lines.every((line) => keyedAttribute(line) !== undefined);
    if (isKeyed && block.place.depth === depth) for (const line of block.lines) take(line, []);
    else if (block.kind !== "item" || block.box || block.place.depth !== depth) {
      if (!isValue(below, index, depth)) rest.push(block);
    } else if (!take(joinLines(block.lines), valuesBelow(below, index, depth))) rest.push(block);
  });
  return {
    lines: withWords(
      own,
      said.filter((words) => words !== ""),
    ),
    rest,
    unclear,
    nameless,
  };
}

function withWords(lines: readonly Line[], said: readonly string[]): readonly Line[] {
  const last = lines.at(-1);
  if (last === undefined || said.length === 0) return lines;
  return [...lines.slice(0, -1), { ...last, text: `${last.text} ; ${said.join(" ; ")}` }];
}

/** "`title`: string" below a field is another field, or a key of it. */
function namesOther(line: Line): boolean {
  return codeNames(line).some(
    ({ field, start }) => !isRuleKey(field) && !/[\p{L}\p{N}]/u.test(line.text.slice(0, start)),
  );
}

function isStructured(text: string): boolean {
  return /\b(?:objects?|dict|dictionary|map|mapping|json|records?|each (?:entry|item|one)? ?with)\b/i.test(text);
}

/** "allowed values:" and a list of them below. */
function valuesBelow(below: readonly Block[], at: number, depth: number): string[] {
  const block = below[at];
  if (block?.kind !== "item" || !/[:：]\s*$/.test(joinLines(block.lines).text)) return [];
  const values: string[] = [];
  for (const next of below.slice(at + 1)) {
    if (next.kind !== "item" || next.place.depth <= depth) break;
    values.push(joinLines(next.lines).text.trim());
  }
  return values;
}

function isValue(below: readonly Block[], at: number, depth: number): boolean {
  for (let index = at - 1; index >= 0; index--) {
    const block = below[index];
    if (block?.kind !== "item") return false;
    if (block.place.depth === depth)
      return valuesBelow(below, index, depth).length > 0 && keyedAttribute(joinLines(block.lines)) !== undefined;
  }
  return false;
}
