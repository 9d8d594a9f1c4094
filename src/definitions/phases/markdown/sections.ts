import type { Heading, RootContent } from "mdast";
import { kindOfWords, wordsOf } from "./context-kind.ts";
import type { MarkdownDocument } from "./markdown.ts";
import { type PhaseTitle, phaseTitle, taskTitle } from "./phase-headings.ts";
import { hasWords, joinLines, linesOf } from "./text-lines.ts";

/** One phase of a document that contains several. */
export type PhaseSection = PhaseTitle & {
  readonly line: number;
  readonly text: string;
  readonly nodes: readonly RootContent[];
};

/** Text outside all phases: its line, and whether it asks for something. */
export type OutsideText = { readonly line: number; readonly asks: boolean };

/** A document split into its phases. */
export type PhaseSections = {
  readonly before: readonly RootContent[];
  readonly phases: readonly PhaseSection[];
  /** Text that belongs to no phase. */
  readonly stray: readonly OutsideText[];
  /** Lines of headings that repeat a phase. */
  readonly twice: readonly number[];
  /** Gates that name a missing phase; they count for the phase they are in. */
  readonly lost: readonly { readonly line: number; readonly number: number }[];
};

/** Splits a document at its phase headings; a gate that names its phase belongs to that phase. */
export function phaseSections({ tree: { children: nodes }, text }: MarkdownDocument): PhaseSections {
  const outline = headedParts(nodes);
  const heads = outline.filter((part) => part.title !== undefined);
  const main = heads.filter((head) => isMain(head, heads, outline));
  const nextMain = (index: number): number => main.find((head) => head.index > index)?.index ?? nodes.length;
  const ranges = main.map((head) => ({ head, end: endOf(head, outline, nextMain(head.index)) }));
  const owners = new Map<number, HeadedPart>();
  const claim = (owner: HeadedPart, from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      owners.delete(index);
      owners.set(index, owner);
    }
  };
  for (const { head, end } of ranges) claim(head, head.index, end);
  /** The heading that a moved part belongs to, which moves with it. */
  const headings = new Map<number, number>();
  const lost: { readonly line: number; readonly number: number }[] = [];
  const gates = outline.filter((part) => !main.includes(part) && isGate(part.words));
  for (const { index, end, named, under } of gates.flatMap((part) => [
    collected(part, main, outline),
    ...labelled(part, nodes),
  ])) {
    const range = ranges.find(({ head }) => head.title?.number === named);
    if (range === undefined && named !== undefined && owners.has(index))
      lost.push({ line: lineOf(nodes[index]), number: named });
    if (range === undefined || (index >= range.head.index && index < range.end)) continue;
    claim(range.head, index, Math.min(end, nextMain(index)));
    if (under !== undefined) headings.set(index, under);
  }
  const free = (from: number, to: number): RootContent[] =>
    nodes.filter((_, index) => index >= from && index < to && !owners.has(index));
  const phases = ranges.map(({ head }): PhaseSection => {
    const indexes = [...owners].filter(([, owner]) => owner === head).map(([index]) => index);
    return {
      ...{ number: 0, name: "", ...head.title },
      line: lineOf(nodes[head.index]),
      text: textAt(indexes, nodes, text),
      nodes: indexes.flatMap((index) => [headings.get(index) ?? [], index].flat().flatMap((one) => nodes[one] ?? [])),
    };
  });
  const left = ranges.map(({ head, end }) => free(end, nextMain(head.index)));
  const withText = left.filter((some) => some.some(({ type }) => type !== "heading"));
  const first = nextMain(-1);
  return {
    before: nodes.slice(0, first),
    phases,
    stray: [
      ...gateBeforePhases(free(0, first)),
      ...withText.map((some) => ({ line: lineOf(some[0]), asks: asksForSomething(some) })),
    ],
    twice: repeated(heads, main, outline).map(({ index }) => lineOf(nodes[index])),
    lost,
  };
}

/** A heading and its part, up to the next one of the same level. */
type HeadedPart = {
  readonly index: number;
  readonly end: number;
  readonly depth: number;
  readonly words: string;
  /** Set if the heading may start a phase. */
  readonly title: PhaseTitle | undefined;
};

/** Every heading of a document with its part. */
export function headedParts(nodes: readonly RootContent[]): HeadedPart[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== "heading") return [];
    const next = nodes.findIndex((one, at) => at > index && one.type === "heading" && one.depth <= node.depth);
    const words = headingText(node);
    return [{ index, end: next === -1 ? nodes.length : next, depth: node.depth, words, title: phaseTitle(words) }];
  });
}

/** The text of some nodes; adjacent nodes are one piece. */
function textAt(indexes: readonly number[], nodes: readonly RootContent[], text: string): string {
  const pieces: { from: number; to: number; last: number }[] = [];
  for (const index of indexes) {
    const { start, end } = nodes[index]?.position ?? {};
    const piece = pieces.at(-1);
    const to = end?.offset ?? 0;
    if (piece?.last === index - 1) Object.assign(piece, { to, last: index });
    else pieces.push({ from: start?.offset ?? 0, to, last: index });
  }
  return pieces.map(({ from, to }) => text.slice(from, to).trimEnd()).join("\n\n");
}

/** A part of a document by its node indexes, with the number of the phase it is the gate of. */
type Collected = {
  readonly index: number;
  readonly end: number;
  readonly named: number | undefined;
  /** Its heading, if that is not its first node. */
  readonly under?: number;
};

/** The gate under a heading; one on the way to a phase ("Before moving to Phase 2") belongs to its own or the previous phase. */
function collected(
  { index, end, words }: HeadedPart,
  main: readonly HeadedPart[],
  outline: readonly HeadedPart[],
): Collected {
  const around = main.findLast((head) => head.index < index);
  const isInside =
    around !== undefined &&
    !outline.some((part) => part.index > around.index && part.index <= index && part.depth <= around.depth);
  const { number, isOnTheWay } = numberIn(words) ?? {};
  if (number === undefined || (isOnTheWay && isInside)) return { index, end, named: undefined };
  return { index, end, named: isOnTheWay ? number - 1 : number };
}

/** The gates under one heading, each after a line that only names its phase: `**Phase 1:**`. */
function labelled({ index, end, words }: HeadedPart, nodes: readonly RootContent[]): Collected[] {
  if (numberIn(words) !== undefined) return [];
  const labels = nodes.slice(index + 1, end).flatMap((node, at) => {
    const text = node.type === "paragraph" ? joinLines(linesOf(node.children, 1)).text : "";
    const { number, before, after } = numberIn(text) ?? {};
    return number === undefined || hasWords(`${before}${after}`) ? [] : [{ at: index + 1 + at, number }];
  });
  return labels.map(({ at, number }, place) => ({
    index: at,
    end: labels[place + 1]?.at ?? end,
    named: number,
    under: index,
  }));
}

/** The phase number in words such as `Phase 2 Validation Gate` or `Exit criteria for Phase 2`; marks "Ready for Phase 2" as on the way. */
function numberIn(words: string) {
  const found = /\bphase[\s#-]*(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{N}]|\.\d)/iu.exec(
    words,
  );
  if (found === null) return undefined;
  const [{ length }, written = ""] = found;
  const spelled = numbers.indexOf(written.toLowerCase());
  const before = words.slice(0, found.index);
  const isOnTheWay = wordsOf(before).some((word) => onTheWay.has(word));
  const number = spelled < 0 ? Number(written) : spelled;
  return { number, isOnTheWay, before, after: words.slice(found.index + length) };
}

const numbers = "zero one two three four five six seven eight nine ten".split(" ");
const onTheWay = new Set(
  "to into before enter entering ready move moving proceed proceeding start starting begin beginning continue continuing until".split(
    " ",
  ),
);

function isGate(words: string): boolean {
  return ["gate", "evidence", "weak"].includes(kindOfWords(words));
}

/** True for a heading that starts a phase: the highest level, or a number found only deeper and not under a summary or overview. */
function isMain(
  { index, depth, title }: HeadedPart,
  heads: readonly HeadedPart[],
  outline: readonly HeadedPart[],
): boolean {
  const depthsOf = (some: readonly HeadedPart[]): number => Math.min(...some.map((head) => head.depth));
  if (depth > depthsOf(heads.filter((head) => head.title?.number === title?.number))) return false;
  const above = outline.findLast((part) => part.index < index && part.depth < depth);
  const isElsewhere = above !== undefined && above.depth > 1 && above.title === undefined;
  return depth === depthsOf(heads) || !isElsewhere;
}

/** The end of a phase: the next heading of its level that is not part of it. */
function endOf({ index, depth, title }: HeadedPart, outline: readonly HeadedPart[], next: number): number {
  const end = outline.find(
    (part) => part.index > index && part.depth <= depth && !(isPart(part, depth) && isOwn(part, title?.number)),
  )?.index;
  return Math.min(end ?? next, next);
}

/** True for a gate, its evidence, tasks and examples, which belong to the phase before them at any level. */
function isPart({ words, depth: own }: HeadedPart, depth: number): boolean {
  const said = wordsOf(words).flatMap((word) => word.split("-"));
  if (own < depth || said.some((word) => elsewhere.has(word))) return false;
  return isGate(words) || taskTitle(words) !== undefined || said.some((word) => parts.has(word));
}

/** True unless a gate names another phase. */
function isOwn({ words }: HeadedPart, phase: number | undefined): boolean {
  const { number, isOnTheWay } = isGate(words) ? (numberIn(words) ?? {}) : {};
  return number === undefined || (isOnTheWay ? number - 1 : number) === phase;
}

const elsewhere = new Set(["summary", "overview", "dependency", "dependencies", "appendix", "glossary"]);
const parts = new Set(["task", "tasks", "approval", "example", "examples", "deliverable", "deliverables", "steps"]);

/** Finds a number repeated at one level, or a later phase inside an earlier one. */
function repeated(
  heads: readonly HeadedPart[],
  main: readonly HeadedPart[],
  outline: readonly HeadedPart[],
): HeadedPart[] {
  const seen = new Set<number | undefined>();
  const twice = main.filter(({ title }) => seen.size === seen.add(title?.number).size);
  const nested = heads.filter((head) => {
    const around = main.findLast(({ index }) => index < head.index);
    if (main.includes(head) || around === undefined || around.title?.number === head.title?.number) return false;
    return head.index < endOf(around, outline, Number.POSITIVE_INFINITY);
  });
  return [...twice, ...nested];
}

/** Finds a gate before the first phase, which no phase would enforce. */
function gateBeforePhases(nodes: readonly RootContent[]): OutsideText[] {
  const first = nodes.findIndex((node) => node.type === "heading" && node.depth > 1 && isGate(headingText(node)));
  return first >= 0 && asksForSomething(nodes.slice(first)) ? [{ line: lineOf(nodes[first]), asks: true }] : [];
}

function asksForSomething(nodes: readonly RootContent[]): boolean {
  const hasBox = (node: RootContent): boolean =>
    node.type === "list" && node.children.some(({ checked }) => typeof checked === "boolean");
  const isGated = nodes.some((node) => node.type === "heading" && kindOfWords(headingText(node)) === "gate");
  return nodes.some((node) => hasBox(node) || (isGated && node.type === "table"));
}

/** The plain text of a heading. */
export function headingText(heading: Heading): string {
  return joinLines(linesOf(heading.children, 1)).text.trim();
}

function lineOf(node: RootContent | undefined): number {
  return node?.position?.start.line ?? 1;
}
