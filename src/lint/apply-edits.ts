import type { JsonEdit } from "../definitions/loader-problem.ts";
import { andThen, type EditStep, openJson, removeAt, setAt } from "../kit/edit-json.ts";
import type { FileEdit } from "./reported-finding.ts";

/** Applies edits to a text and leaves the rest unchanged, or says why it cannot. */
export function applyFileEdits(text: string, edits: readonly FileEdit[]): { text: string } | { problem: string } {
  const inJson = edits.filter((edit) => edit !== "end of file");
  // Last entry first, because removing one shifts those after it.
  const edited = inJson.length === 0 ? { text } : inJson.reduceRight<EditStep>(applyJsonEdit, openJson(text));
  return "problem" in edited || inJson.length === edits.length ? edited : { text: trimEndOfFile(edited.text) };
}

function applyJsonEdit(step: EditStep, { at, value }: JsonEdit): EditStep {
  return andThen(step, (open) => (value === undefined ? removeAt(open, at) : setAt(open, at, value)));
}

/** Ends a text with one line break of the kind it already uses. */
function trimEndOfFile(text: string): string {
  return text.trim() === "" ? text : `${text.trimEnd()}${text.includes("\r\n") ? "\r\n" : "\n"}`;
}
