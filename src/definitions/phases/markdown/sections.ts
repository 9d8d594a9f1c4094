import type { Heading, RootContent } from "mdast";
import { type PhaseTitle, phaseTitle, taskTitle } from "./headings.ts";
import { joinLines, linesOf } from "./lines.ts";
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
};

/**
 * Takes a document apart at its phase headings: what stands before, between or after phases is part of none, but for a gate that
 * names its phase: that is the phase's own, wherever the document collects it.
 */
export function phaseSections({ tree, text }: MarkdownDocument): PhaseSections {
  const nodes = tree.children;
  const heads = nodes.flatMap((node, index) => headAt(node, index) ?? []);
  const main = mainHeads(nodes, heads);
  const first = main[0]?.index ?? nodes.length;
  const ranges = main.map((head, position) => {
    const next = main[position + 1]?.index ?? nodes.length;
    return { head, start: head.index, end: endOf(nodes, head, next), next };
  });
  const moved = ranges.flatMap(({ head, start, end }) =>
    gatesOf(nodes, head.number, main).filter((gate) => gate.start < start || gate.start >= end),
  );
  const isMoved = (index: number): boolean => moved.some(({ start, end }) => index >= start && index < end);
  const stray = askingBefore(nodes.slice(0, first).filter((_, index) => !isMoved(index)));
  const phases = ranges.map(({ head, start, end, next }): PhaseSection => {
    const left = indexes(end, next).filter((index) => !isMoved(index));
    const told = left.filter((index) => nodes[index]?.type !== "heading");
    if (told.length > 0)
      stray.push({
        line: lineOf(nodes[left[0] ?? end]),
        asks: asksForSomething(left.flatMap((index) => nodes[index] ?? [])),
      });
    const own = indexes(start, end).filter((index) => !isMoved(index));
    const gates = moved.filter(({ number }) => number === head.number).flatMap((gate) => indexes(gate.start, gate.end));
    return {
      number: head.number,
      name: head.name,
      line: lineOf(nodes[head.index]),
      text: [own, gates]
        .map((all) => textAt(all, nodes, text))
        .filter((part) => part !== "")
        .join("\n\n"),
      nodes: [...own, ...gates].flatMap((index) => nodes[index] ?? []),
    };
  });
  return { before: nodes.slice(0, first), phases, stray, twice: repeated(nodes, heads, main) };
}

/** The text of some nodes; what stands side by side is one piece. */
function textAt(all: readonly number[], nodes: readonly RootContent[], text: string): string {
  const pieces: number[][] = [];
  for (const index of all) {
    const last = pieces.at(-1);
    if (last !== undefined && last.at(-1) === index - 1) last.push(index);
    else pieces.push([index]);
  }
  return pieces
    .map((piece) => {
      const next = nodes[(piece.at(-1) ?? 0) + 1];
      return text.slice(startOf(nodes[piece[0] ?? 0]), next === undefined ? text.length : startOf(next)).trimEnd();
    })
    .join("\n\n");
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

type GateRange = { readonly number: number; readonly start: number; readonly end: number };

/** Headings that name a phase and announce its gate: `### Phase 2 Validation Gate`, `## Exit criteria for Phase 2`. */
function gatesOf(nodes: readonly RootContent[], number: number, main: readonly Head[]): GateRange[] {
  return nodes.flatMap((node, start) => {
    if (node.type !== "heading" || main.some(({ index }) => index === start)) return [];
    const words = textOf(node);
    const [, named] = /\bphase[\s#-]*(\d{1,4})(?![\p{L}\p{N}]|\.\d)/iu.exec(words) ?? [];
    if (Number(named ?? -1) !== number || !["gate", "evidence", "weak"].includes(kindOfWords(words))) return [];
    const end = nodes.findIndex(
      (next, index) =>
        index > start &&
        ((next.type === "heading" && next.depth <= node.depth) || main.some((head) => head.index === index)),
    );
    return [{ number, start, end: end === -1 ? nodes.length : end }];
  });
}

type Head = PhaseTitle & { readonly index: number; readonly depth: number };

function headAt(node: RootContent, index: number): Head | undefined {
  const title = node.type === "heading" ? phaseTitle(textOf(node)) : undefined;
  return title === undefined || node.type !== "heading" ? undefined : { ...title, index, depth: node.depth };
}

/**
 * Phases are headings of one level, the highest. A number that stands further down only begins a phase too, unless it stands
 * under a heading that is about something else: an overview, a summary, dependencies.
 */
function mainHeads(nodes: readonly RootContent[], heads: readonly Head[]): Head[] {
  const top = Math.min(...heads.map(({ depth }) => depth));
  const numbers = new Set(heads.filter(({ depth }) => depth === top).map(({ number }) => number));
  const highest = (number: number): number =>
    Math.min(...heads.filter((head) => head.number === number).map(({ depth }) => depth));
  return heads.filter(
    (head) =>
      head.depth === top ||
      (!numbers.has(head.number) && head.depth === highest(head.number) && !isElsewhere(nodes, head)),
  );
}

/** Tells whether a heading stands under one that is neither a phase's nor the document's title. */
function isElsewhere(nodes: readonly RootContent[], { index, depth }: Head): boolean {
  const above = nodes.slice(0, index).findLast((node) => node.type === "heading" && node.depth < depth);
  if (above?.type !== "heading" || above.depth === 1) return false;
  return phaseTitle(textOf(above)) === undefined;
}

/** Up to the next heading that is as high and no part of the phase. */
function endOf(nodes: readonly RootContent[], { index, depth }: Head, next: number): number {
  for (let at = index + 1; at < next; at++) {
    const node = nodes[at];
    if (node?.type === "heading" && node.depth <= depth && !isPart(node, depth)) return at;
  }
  return next;
}

/** A gate, its evidence, tasks and examples belong to the phase before them, however high their heading. */
function isPart(node: Heading, depth: number): boolean {
  const words = textOf(node);
  const said = wordsOf(words).flatMap((word) => word.split("-"));
  if (node.depth < depth || said.some((word) => elsewhere.has(word))) return false;
  return (
    ["gate", "evidence", "weak"].includes(kindOfWords(words)) ||
    taskTitle(words) !== undefined ||
    said.some((word) => parts.has(word))
  );
}

const elsewhere = new Set(["summary", "overview", "dependency", "dependencies", "appendix", "glossary"]);
const parts = new Set(["task", "tasks", "approval", "example", "examples", "deliverable", "deliverables", "steps"]);

/** The same number twice at one height, or a later phase inside an earlier one. */
function repeated(nodes: readonly RootContent[], heads: readonly Head[], main: readonly Head[]): number[] {
  const seen = new Set<number>();
  const twice = main.filter(({ number }) => seen.size === seen.add(number).size);
  const nested = heads.filter((head) => {
    if (main.includes(head)) return false;
    const around = main.filter(({ index }) => index < head.index).at(-1);
    if (around === undefined || around.number === head.number) return false;
    return head.index < endOf(nodes, around, nodes.length);
  });
  return [...twice, ...nested].map(({ index }) => lineOf(nodes[index]));
}

/** A gate before the first phase is meant for some phase, and none has it. */
function askingBefore(nodes: readonly RootContent[]): Stray[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== "heading" || node.depth === 1 || !["gate", "evidence"].includes(kindOfWords(textOf(node))))
      return [];
    const more = nodes.slice(index + 1);
    const end = more.findIndex((next) => next.type === "heading");
    return asksForSomething(end === -1 ? more : more.slice(0, end)) ? [{ line: lineOf(node), asks: true }] : [];
  });
}

function asksForSomething(nodes: readonly RootContent[]): boolean {
  const hasBox = (node: RootContent): boolean =>
    node.type === "list" && node.children.some(({ checked }) => typeof checked === "boolean");
  const isGate = nodes.some((node) => node.type === "heading" && kindOfWords(textOf(node)) === "gate");
  return nodes.some((node) => hasBox(node) || (isGate && node.type === "table"));
}

/** The plain text of a heading. */
export function textOf(heading: Heading): string {
  return joinLines(linesOf(heading.children, 1)).text.trim();
}

function lineOf(node: RootContent | undefined): number {
  return node?.position?.start.line ?? 1;
}

function startOf(node: RootContent | undefined): number {
  return node?.position?.start.offset ?? 0;
}
