import type { Heading, RootContent } from "mdast";
import { announcesGate, mayBeGate } from "./gate-words.ts";
import { type PhaseTitle, phaseTitle, taskTitle } from "./headings.ts";
import { joinLines, linesOf } from "./lines.ts";
import type { MarkdownDocument } from "./markdown.ts";

/** One phase of a document that holds several. */
export type PhaseSection = PhaseTitle & {
  readonly line: number;
  readonly text: string;
  readonly nodes: readonly RootContent[];
};

/** A document that holds several phases, taken apart. */
export type PhaseSections = {
  readonly before: readonly RootContent[];
  readonly phases: readonly PhaseSection[];
  /** Lines of headings whose text belongs to no phase. */
  readonly stray: readonly number[];
  /** Lines of headings that bring a phase up a second time. */
  readonly twice: readonly number[];
};

/** Takes a document apart at its phase headings: what stands before, between or after phases is part of none. */
export function phaseSections({ tree, text }: MarkdownDocument): PhaseSections {
  const nodes = tree.children;
  const heads = nodes.flatMap((node, index) => headAt(node, index) ?? []);
  const main = mainHeads(heads);
  const first = main[0]?.index ?? nodes.length;
  const stray: number[] = [];
  const phases = main.map((head, position): PhaseSection => {
    const next = main[position + 1]?.index ?? nodes.length;
    const end = endOf(nodes, head, next);
    if (end < next) stray.push(lineOf(nodes[end]));
    return {
      number: head.number,
      name: head.name,
      line: lineOf(nodes[head.index]),
      text: text.slice(startOf(nodes[head.index]), end < nodes.length ? startOf(nodes[end]) : text.length).trimEnd(),
      nodes: nodes.slice(head.index, end),
    };
  });
  return { before: nodes.slice(0, first), phases, stray, twice: repeated(nodes, heads, main) };
}

type Head = PhaseTitle & { readonly index: number; readonly depth: number };

function headAt(node: RootContent, index: number): Head | undefined {
  const title = node.type === "heading" ? phaseTitle(textOf(node)) : undefined;
  return title === undefined || node.type !== "heading" ? undefined : { ...title, index, depth: node.depth };
}

/** Of the headings with one number the highest counts: an overview lists phases further down. */
function mainHeads(heads: readonly Head[]): Head[] {
  const highest = new Map<number, number>();
  for (const { number, depth } of heads) highest.set(number, Math.min(depth, highest.get(number) ?? depth));
  return heads.filter(({ number, depth }) => depth === highest.get(number));
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
  if (node.depth < depth) return false;
  return (
    announcesGate(words) ||
    mayBeGate(words) ||
    taskTitle(words) !== undefined ||
    /\b(?:tasks?|approval|examples?|deliverables?|steps)\b/i.test(words)
  );
}

/** The same number twice at one height, or a later phase inside an earlier one. */
function repeated(nodes: readonly RootContent[], heads: readonly Head[], main: readonly Head[]): number[] {
  const seen = new Set<number>();
  const twice = main.filter(({ number }) => seen.size === seen.add(number).size);
  const nested = heads.filter((head) => {
    if (main.includes(head)) return false;
    const around = main.filter(({ index }) => index < head.index).at(-1);
    return around !== undefined && around.number !== head.number;
  });
  return [...twice, ...nested].map(({ index }) => lineOf(nodes[index]));
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
