import type { Nodes } from "mdast";
import type { MarkdownDocument } from "./markdown.ts";
import type { PhaseSections } from "./sections.ts";

/** The lines meant to start a phase that do not: `##Phase 2`, `## Phase 2a`, or one after an unclosed fence. */
export function misspelledPhases({ tree, text }: MarkdownDocument, { phases }: PhaseSections): readonly number[] {
  const lines = text.split("\n");
  const nodeAt = (line: number): Nodes | undefined =>
    tree.children.find(({ position: at }) => at !== undefined && at.start.line <= line && line <= at.end.line);
  const depthAt = (line: number): number | undefined => {
    const node = nodeAt(line);
    return node?.type === "heading" ? node.depth : undefined;
  };
  const level = Math.min(...phases.map(({ line }) => depthAt(line) ?? 7));
  return lines.flatMap((text, index) => {
    const line = index + 1;
    const [, number = ""] = meant.exec(text) ?? [];
    if (number === "" || phases.some((phase) => phase.line === line)) return [];
    const node = nodeAt(line);
    if (node?.type === "html" || (node?.type === "code" && isClosed(node, lines))) return [];
    const depth = depthAt(line);
    // A heading with a plain number that starts no phase is about one: its gate, or what follows it.
    return depth === undefined || (depth === level && !Number.isInteger(Number(number))) ? [line] : [];
  });
}

const meant =
  /^ {0,3}#{1,6}[\s\u00a0]*[*_]*phase[\s\u00a0#-]*(\d[\p{L}\p{N}.]*|[ivx]+|zero|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{N}])/iu;

/** True for a code block that ends where its author meant it to; one without a fence always does. */
function isClosed({ position }: Nodes, lines: readonly string[]): boolean {
  const [from = 1, to = 1] = [position?.start.line, position?.end.line];
  const isFenced = /^ {0,3}(?:```|~~~)/.test(lines[from - 1] ?? "");
  return !isFenced || (from !== to && /^\s*(?:`{3,}|~{3,})\s*$/.test(lines[to - 1] ?? ""));
}
