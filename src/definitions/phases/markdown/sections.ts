import type { Heading, RootContent } from "mdast";
import { type PhaseTitle, phaseTitle, taskTitle } from "./headings.ts";
import { hasWords, joinLines, linesOf } from "./lines.ts";
import type { MarkdownDocument } from "./markdown.ts";
import { kindOfWords, wordsOf } from "./places.ts";

/** One phase of a document that holds several. */
export type PhaseSection = PhaseTitle & {
  readonly line: number;
  readonly text: string;
  readonly nodes: readonly RootContent[];
};

/** Text that belongs to no phase: where it begins, and whether it holds what would be asked for inside one. */
export type Stray = { readonly line: number; readonly asks: boolean };

/** A document that holds several phases, taken apart. */
export type PhaseSections = {
  readonly before: readonly RootContent[];
  readonly phases: readonly PhaseSection[];
  /** Where text begins that belongs to no phase. */
  readonly stray: readonly Stray[];
  /** Lines of headings that bring a phase up a second time. */
  readonly twice: readonly number[];
  /** Gates of a phase that the document does not have: they are read as part of the one that they stand in. */
  readonly lost: readonly { readonly line: number; readonly number: number }[];
};

/**
 * Takes a document apart at its phase headings: what stands before, between or after phases is part of none, but for a gate that
 * names its phase: that is the phase's own, wherever the document collects it.
 */
export function phaseSections({ tree: { children: nodes }, text }: MarkdownDocument): PhaseSections {
  const outline = headedParts(nodes);
  const heads = outline.filter((part) => part.title !== undefined);
  const main = heads.filter((head) => isMain(head, heads, outline));
  const nextMain = (index: number): number => main.find((head) => head.index > index)?.index ?? nodes.length;
  const ranges = main.map((head) => ({ head, end: endOf(head, outline, nextMain(head.index)) }));
  const owners = new Map<number, Headed>();
  const claim = (owner: Headed, from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      owners.delete(index);
      owners.set(index, owner);
    }
  };
  for (const { head, end } of ranges) claim(head, head.index, end);
  /** The heading that a part is taken from under, which goes with it. */
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
  const told = left.filter((some) => some.some(({ type }) => type !== "heading"));
  const first = nextMain(-1);
  return {
    before: nodes.slice(0, first),
    phases,
    stray: [
      ...askingIn(free(0, first)),
      ...told.map((some) => ({ line: lineOf(some[0]), asks: asksForSomething(some) })),
    ],
    twice: repeated(heads, main, outline).map(({ index }) => lineOf(nodes[index])),
    lost,
  };
}

/** A heading and what it heads: up to the next one that is as high. */
type Headed = {
  readonly index: number;
  readonly end: number;
  readonly depth: number;
  readonly words: string;
  /** Of a heading that may begin a phase. */
  readonly title: PhaseTitle | undefined;
};

/** Every heading of a document with its part. */
export function headedParts(nodes: readonly RootContent[]): Headed[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== "heading") return [];
    const next = nodes.findIndex((one, at) => at > index && one.type === "heading" && one.depth <= node.depth);
    const words = textOf(node);
    return [{ index, end: next === -1 ? nodes.length : next, depth: node.depth, words, title: phaseTitle(words) }];
  });
}

/** The text of some nodes; what stands side by side is one piece. */
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

/** A part of a document, by the places of its nodes, and the number of the phase that it is the gate of. */
type Collected = {
  readonly index: number;
  readonly end: number;
  readonly named: number | undefined;
  /** Its heading, where that is not its first node. */
  readonly under?: number;
};

/** The gate under a heading. One on the way to a phase, "Before moving to Phase 2", is the gate of the one that it stands in, or else of the one before. */
function collected({ index, end, words }: Headed, main: readonly Headed[], outline: readonly Headed[]): Collected {
  const around = main.findLast((head) => head.index < index);
  const isInside =
    around !== undefined &&
    !outline.some((part) => part.index > around.index && part.index <= index && part.depth <= around.depth);
  const { number, isOnTheWay } = numberIn(words) ?? {};
  if (number === undefined || (isOnTheWay && isInside)) return { index, end, named: undefined };
  return { index, end, named: isOnTheWay ? number - 1 : number };
}

/** The gates that stand under one heading, each behind a line that is nothing but its phase: `**Phase 1:**`. */
function labelled({ index, end, words }: Headed, nodes: readonly RootContent[]): Collected[] {
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

/** `### Phase 2 Validation Gate`, `## Exit criteria for Phase 2`; on the way: `### Ready for Phase 2`. */
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

/**
 * Phases are headings of one level, the highest. A number that stands further down only begins a phase too, unless it stands
 * under a heading that is about something else: an overview, a summary, dependencies.
 */
function isMain({ index, depth, title }: Headed, heads: readonly Headed[], outline: readonly Headed[]): boolean {
  const depthsOf = (some: readonly Headed[]): number => Math.min(...some.map((head) => head.depth));
  if (depth > depthsOf(heads.filter((head) => head.title?.number === title?.number))) return false;
  const above = outline.findLast((part) => part.index < index && part.depth < depth);
  const isElsewhere = above !== undefined && above.depth > 1 && above.title === undefined;
  return depth === depthsOf(heads) || !isElsewhere;
}

/** Up to the next heading that is as high and no part of the phase. */
function endOf({ index, depth, title }: Headed, outline: readonly Headed[], next: number): number {
  const end = outline.find(
    (part) => part.index > index && part.depth <= depth && !(isPart(part, depth) && isOwn(part, title?.number)),
  )?.index;
  return Math.min(end ?? next, next);
}

/** A gate, its evidence, tasks and examples belong to the phase before them, however high their heading. */
function isPart({ words, depth: own }: Headed, depth: number): boolean {
  const said = wordsOf(words).flatMap((word) => word.split("-"));
  if (own < depth || said.some((word) => elsewhere.has(word))) return false;
  return isGate(words) || taskTitle(words) !== undefined || said.some((word) => parts.has(word));
}

/** A gate that names another phase is no part of this one. */
function isOwn({ words }: Headed, phase: number | undefined): boolean {
  const { number, isOnTheWay } = isGate(words) ? (numberIn(words) ?? {}) : {};
  return number === undefined || (isOnTheWay ? number - 1 : number) === phase;
}

const elsewhere = new Set(["summary", "overview", "dependency", "dependencies", "appendix", "glossary"]);
const parts = new Set(["task", "tasks", "approval", "example", "examples", "deliverable", "deliverables", "steps"]);

/** The same number twice at one height, or a later phase inside an earlier one. */
function repeated(heads: readonly Headed[], main: readonly Headed[], outline: readonly Headed[]): Headed[] {
  const seen = new Set<number | undefined>();
  const twice = main.filter(({ title }) => seen.size === seen.add(title?.number).size);
  const nested = heads.filter((head) => {
    const around = main.findLast(({ index }) => index < head.index);
    if (main.includes(head) || around === undefined || around.title?.number === head.title?.number) return false;
    return head.index < endOf(around, outline, Number.POSITIVE_INFINITY);
  });
  return [...twice, ...nested];
}

/** A gate before the first phase is meant for some phase, and none has it. */
function askingIn(nodes: readonly RootContent[]): Stray[] {
  const first = nodes.findIndex((node) => node.type === "heading" && node.depth > 1 && isGate(textOf(node)));
  return first >= 0 && asksForSomething(nodes.slice(first)) ? [{ line: lineOf(nodes[first]), asks: true }] : [];
}

function asksForSomething(nodes: readonly RootContent[]): boolean {
  const hasBox = (node: RootContent): boolean =>
    node.type === "list" && node.children.some(({ checked }) => typeof checked === "boolean");
  const isGated = nodes.some((node) => node.type === "heading" && kindOfWords(textOf(node)) === "gate");
  return nodes.some((node) => hasBox(node) || (isGated && node.type === "table"));
}

/** The plain text of a heading. */
export function textOf(heading: Heading): string {
  return joinLines(linesOf(heading.children, 1)).text.trim();
}

function lineOf(node: RootContent | undefined): number {
  return node?.position?.start.line ?? 1;
}
