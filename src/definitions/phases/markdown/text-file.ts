import { liveFile } from "../../snapshot/live-file.ts";
import { type FileLocation, outsideLinkReason } from "../outside-link.ts";
import { type MarkdownDocument, parseMarkdown } from "./markdown.ts";

/** Reads the current content of a Markdown file, or says why it cannot be used; links out of `place` are not followed. */
export function readMarkdown(
  path: string,
  place?: FileLocation,
): (MarkdownDocument & { readonly source: string }) | { readonly unusable: string } {
  const unusable = place === undefined ? undefined : outsideLinkReason(path, place);
  if (unusable !== undefined) return { unusable };
  const read = readWhole(path);
  if ("missing" in read) return { unusable: "the file does not exist" };
  if ("unreadable" in read) return { unusable: read.unreadable };
  if (read.value.trim() === "") return { unusable: "the file has no text" };
  const document = parseMarkdown(read.value);
  return "unusable" in document ? document : { ...document, source: read.value };
}

const mostBytes = 1024 * 1024;
const readWhole = liveFile((text) => text, mostBytes);
