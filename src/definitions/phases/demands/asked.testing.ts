import { describeRule, type Gate } from "../../../workflow/gate.ts";
import { blocksOf } from "../markdown/blocks.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { type DocumentGate, documentGate } from "./document-gate.ts";

/** What the Markdown of a phase asks for. */
export function readGate(markdown: string): DocumentGate {
  const document = parseMarkdown(markdown);
  if ("unusable" in document) throw new Error(document.unusable);
  return documentGate(blocksOf(document.tree.children), "phase.md");
}

/** The demands of a gate in words, one line each. */
export function asked({ requirements }: Gate): string[] {
  return requirements.map(({ field, type, required, rules, mayBeEmpty }) =>
    [
      `${field} ${type}`,
      ...(required ? [] : ["optional"]),
      ...(mayBeEmpty ? ["may be empty"] : []),
      ...rules.map(describeRule),
    ].join(", "),
  );
}

/** The same for a document. */
export function askedIn(markdown: string): string[] {
  return asked(readGate(markdown).gate);
}
