import { applyEdits, modify } from "jsonc-parser";
import type { JsonEdit } from "../problem.ts";
import type { Mend } from "./finding.ts";

/** Mends a text and touches nothing else; a byte order mark stays where it is. */
export function mendAll(text: string, mends: readonly Mend[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // From the end of a list to its beginning: what is taken out moves what follows.
  return mark + [...mends].reverse().reduce(mendOne, text.slice(mark.length));
}

function mendOne(text: string, mend: Mend): string {
  return mend === "end of file" ? endOnce(text) : editJson(text, mend);
}

/** Ends a text with one line end, the kind it has elsewhere. */
function endOnce(text: string): string {
  return text.trim() === "" ? text : `${text.trimEnd()}${lineEndOf(text)}`;
}

/** A new entry is laid out like the ones around it. */
function editJson(text: string, { at, value }: JsonEdit): string {
  const isLong = text.trim().includes("\n");
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const formattingOptions = { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol: lineEndOf(text) };
  const edits = modify(text, [...at], value, isLong ? { formattingOptions } : {});
  const gap = text.includes(", ") ? " " : "";
  return applyEdits(
    text,
    isLong ? edits : edits.map((edit) => ({ ...edit, content: edit.content.replace(/^,/, `,${gap}`) })),
  );
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
