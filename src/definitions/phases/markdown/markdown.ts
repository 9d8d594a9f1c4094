import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** A Markdown document: its text, its tree, and what stands in its front matter. */
export type MarkdownDocument = {
  /** The text with the front matter blanked out, so that lines and offsets stay what they are. */
  readonly text: string;
  readonly tree: Root;
  readonly frontMatter: string;
};

/** Parses Markdown with tables and task lists; says why where that would take too long to be worth it. Never throws. */
export function parseMarkdown(source: string): MarkdownDocument | { readonly unusable: string } {
  const normal = source.replaceAll(/\r\n?/g, "\n");
  const frontMatter = /^---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(normal)?.[0] ?? "";
  const text = frontMatter.replaceAll(/[^\n]/g, " ") + normal.slice(frontMatter.length);
  const unusable = whyTooMuch(text);
  if (unusable !== undefined) return { unusable };
  try {
    const tree = fromMarkdown(text, options);
    return { text, tree, frontMatter: frontMatter.split("\n").slice(1, -2).join("\n") };
  } catch {
    return { unusable: "it cannot be parsed as Markdown" };
  }
}

const options = {
  extensions: [gfmTable(), gfmTaskListItem()],
  mdastExtensions: [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()],
};

const mostMarks = 4000;

/** The parser compares every mark of a paragraph with every other, and every line with all that it stands in. */
function whyTooMuch(text: string): string | undefined {
  for (const chunk of text.split(/\n[ \t]*\n/)) {
    if ((chunk.match(/[*_[\]`]/g)?.length ?? 0) > mostMarks) return "a paragraph has more marks than can be read";
  }
  const nested = [...text.matchAll(tooDeep)].map(([line]) => line);
  // A long row of - or * is a line across the page.
  return nested.some((line) => !/^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/.test(line))
    ? "it is nested too deep to be read"
    : undefined;
}

const tooDeep = /^[ \t]*(?:(?:[>+*-]|\d{1,9}[.)])[ \t]*){60}.*$/gm;
