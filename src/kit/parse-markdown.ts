import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** Parses Markdown with tables and task lists, or says why it would take too long. Never throws. */
export function markdownTree(text: string): { readonly tree: Root } | { readonly unusable: string } {
  const unusable = whyTooMuch(text);
  if (unusable !== undefined) return { unusable };
  try {
    return { tree: fromMarkdown(text, options) };
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
