import type { DefinitionSnapshot } from "../../../engine/ports/definition-snapshot.ts";
import { readTextFile, type TextRead } from "../../snapshot/read-text-file.ts";
import { type MarkdownDocument, parseMarkdown } from "./markdown.ts";

/** A Markdown document with its text, or why it cannot be used. */
export type MarkdownRead = (MarkdownDocument & { readonly source: string }) | { readonly unusable: string };

/** Reads a Markdown file of a snapshot, or says why it cannot be used. */
export function readMarkdown(definitions: DefinitionSnapshot, path: string): MarkdownRead {
  if (definitions.find(path)?.kind === "outside")
    return { unusable: "it is a link to a place outside the definitions" };
  return markdownIn(readTextFile(definitions, path, mostBytes));
}

/** Parses a Markdown file that was read. */
export function markdownIn(read: TextRead): MarkdownRead {
  if ("missing" in read) return { unusable: "the file does not exist" };
  if ("unreadable" in read) return { unusable: read.unreadable };
  if (read.value.trim() === "") return { unusable: "the file has no text" };
  const document = parseMarkdown(read.value);
  return "unusable" in document ? document : { ...document, source: read.value };
}

/** The size of the largest document that is read. */
export const mostBytes = 1024 * 1024;
