import { liveFile } from "../../live-file.ts";
import { type FilePlace, whyNotFollowed } from "../link.ts";
import { type MarkdownDocument, parseMarkdown } from "./markdown.ts";

/** Reads a Markdown file as it stands now; says why where it cannot be used. Of a definition its place is known, and no link leads out of that. */
export function readMarkdown(
  path: string,
  place?: FilePlace,
): (MarkdownDocument & { readonly source: string }) | { readonly unusable: string } {
  const unusable = place === undefined ? undefined : whyNotFollowed(path, place);
  if (unusable !== undefined) return { unusable };
  const read = readWhole(path);
  if ("missing" in read) return { unusable: "the file is not there" };
  if ("unreadable" in read) return { unusable: read.unreadable };
  if (read.value.trim() === "") return { unusable: "the file holds no text" };
  const document = parseMarkdown(read.value);
  return "unusable" in document ? document : { ...document, source: read.value };
}

const mostBytes = 1024 * 1024;
const readWhole = liveFile((text) => text, mostBytes);
