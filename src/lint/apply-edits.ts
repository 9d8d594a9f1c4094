import { applyEdits, modify } from "jsonc-parser";
import type { JsonEdit } from "../definitions/loader-problem.ts";
import type { FileEdit } from "./reported-finding.ts";

/** Applies edits to a text and leaves the rest unchanged, byte order mark included. */
export function applyFileEdits(text: string, edits: readonly FileEdit[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // Last entry first, because removing one shifts those after it.
  return mark + [...edits].reverse().reduce(applyFileEdit, text.slice(mark.length));
}

function applyFileEdit(text: string, edit: FileEdit): string {
  return edit === "end of file" ? trimEndOfFile(text) : editJson(text, edit);
}

/** Ends a text with one line break of the kind it already uses. */
function trimEndOfFile(text: string): string {
  return text.trim() === "" ? text : `${text.trimEnd()}${lineEndOf(text)}`;
}

/** Edits JSON in the layout of the surrounding entries. */
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
