import type { Nodes } from "mdast";
import type { MarkdownDocument } from "./markdown.ts";
import type { PhaseSections } from "./sections.ts";

/** The lines that were meant to begin a phase and do not: `##Phase 2`, `## Phase 2a`, one behind a fence that nobody closed. */
export function slippedPhases({ tree, text }: MarkdownDocument, { phases }: PhaseSections): readonly number[] {
  const begun = new Set(phases.map(({ line }) => line));
  const headings = new Map<number, number>();
  const hidden = new Set<number>();
  const lines = text.split("\n");
  for (const node of tree.children) {
    if (node.type === "heading") headings.set(lineOf(node), node.depth);
    if (node.type === "html" || (node.type === "code" && isClosed(node, lines)))
      for (let line = lineOf(node); line <= (node.position?.end.line ?? 0); line++) hidden.add(line);
  }
  const level = Math.min(...phases.map(({ line }) => headings.get(line) ?? 7));
  return lines.flatMap((text, index) => {
    const line = index + 1;
    const [, number = ""] = meant.exec(text) ?? [];
    if (number === "" || begun.has(line) || hidden.has(line)) return [];
    const depth = headings.get(line);
    // A heading with a plain number that begins no phase is about one: its gate, or what follows it.
    return depth === undefined || (depth === level && !/^\d+$/.test(number)) ? [line] : [];
  });
}

const meant =
  /^ {0,3}#{1,6}[\s\u00a0]*[*_]*phase[\s\u00a0#-]*(\d[\p{L}\p{N}.]*|[ivx]+|zero|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{N}])/iu;

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** Whether a code block is one that ends where its author meant it to; one without a fence always is. */
function isClosed(node: Nodes, lines: readonly string[]): boolean {
  const [first, last] = [lines[lineOf(node) - 1] ?? "", lines[(node.position?.end.line ?? 1) - 1] ?? ""];
  return (
    !/^ {0,3}(?:```|~~~)/.test(first) ||
    (node.position?.end.line !== lineOf(node) && /^\s*(?:`{3,}|~{3,})\s*$/.test(last))
  );
}
