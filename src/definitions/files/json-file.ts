import type { Json } from "../../kit/json.ts";
import { liveFile } from "../snapshot/live-file.ts";
import { findJsonError, type JsonReadError, unreadableJson } from "./json-error.ts";

/** The value of a JSON file, or why it cannot be read: as words for a sentence and as a problem. */
export type JsonRead =
  | { readonly value: Json }
  | { readonly missing: true }
  | { readonly malformed: string; readonly error: JsonReadError };

/** Reads the current content of a JSON file, cheaply if it has not changed. Never throws. */
export function readJson(path: string): JsonRead {
  const read = readParsed(path);
  if ("missing" in read) return read;
  return "unreadable" in read ? { malformed: read.unreadable, error: unreadableJson(read.unreadable) } : read.value;
}

/** Reads the current content of a text file without a byte order mark; undefined if it is missing or unreadable. */
export function readText(path: string): string | undefined {
  const read = readWhole(path);
  return "value" in read ? read.value : undefined;
}

const readParsed = liveFile(parseJson);
const readWhole = liveFile((text) => text);

function parseJson(text: string): Exclude<JsonRead, { missing: true }> {
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    const trouble = findJsonError(text);
    const where = trouble.code === "empty-file" ? "" : ` (line ${trouble.line})`;
    return { malformed: trouble.message + where, error: trouble };
  }
}
