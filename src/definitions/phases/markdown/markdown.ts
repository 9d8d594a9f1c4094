import type { Root } from "mdast";
import { frontMatterIn } from "../../../kit/front-matter.ts";
import { markdownTree } from "../../../kit/parse-markdown.ts";

/** A Markdown document with its text, tree and front matter. */
export type MarkdownDocument = {
  /** The text with blanks in place of the front matter, so that lines and offsets stay the same. */
  readonly text: string;
  readonly tree: Root;
  readonly frontMatter: string;
};

/** Parses a Markdown document, or says why it would take too long. Never throws. */
export function parseMarkdown(source: string): MarkdownDocument | { readonly unusable: string } {
  const normal = source.replaceAll(/\r\n?/g, "\n");
  const { source: frontMatter, end } = frontMatterIn(normal) ?? { source: "", end: 0 };
  const text = normal.slice(0, end).replaceAll(/[^\n]/g, " ") + normal.slice(end);
  const parsed = markdownTree(text);
  return "unusable" in parsed ? parsed : { text, tree: parsed.tree, frontMatter };
}
