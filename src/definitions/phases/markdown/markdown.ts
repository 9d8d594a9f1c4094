import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { frontMatterIn } from "../../../kit/front-matter.ts";

/** A Markdown document with its text, tree and front matter. */
export type MarkdownDocument = {
  /** The text with blanks in place of the front matter, so that lines and offsets stay the same. */
  readonly text: string;
  readonly tree: Root;
  readonly frontMatter: string;
};

/** Parses Markdown with tables and task lists, or says why it would take too long. Never throws. */
export function parseMarkdown(source: string): MarkdownDocument | { readonly unusable: string } {
  const normal = source.replaceAll(/\r\n?/g, "\n");
  const { source: frontMatter, end } = frontMatterIn(normal) ?? { source: "", end: 0 };
  const text = normal.slice(0, end).replaceAll(/[^\n]/g, " ") + normal.slice(end);
  const unusable = whyTooMuch(text);
  if (unusable !== undefined) return { unusable };
  try {
    const tree = fromMarkdown(text, options);
    return { text, tree, frontMatter };
  } catch {
    return { unusable: "it cannot be parsed as Markdown" };
  }
}

const options = {
  extensions: [gfmTable(), gfmTaskListItem()],
  mdastExtensions: [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()],
};

const mostMarks = 4000;

/** Explains why a text is too costly: the parser compares all marks of a paragraph with each other. */
function whyTooMuch(text: string): string | undefined {
  for (const chunk of text.split(/\n[ \t]*\n/)) {
    if ((chunk.match(/[*_[\]`]/g)?.length ?? 0) > mostMarks) return "a paragraph has too many formatting marks";
  }
  const nested = [...text.matchAll(tooDeep)].map(([line]) => line);
  // A long row of - or * is a horizontal rule.
  return nested.some((line) => !/^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/.test(line)) ? "it is nested too deeply" : undefined;
}

const tooDeep = /^[ \t]*(?:(?:[>+*-]|\d{1,9}[.)])[ \t]*){60}.*$/gm;
