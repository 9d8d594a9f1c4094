import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Json } from "../../kit/json.ts";
import { readTextFile } from "../snapshot/read-text-file.ts";
import { findJsonError, type JsonReadError, unreadableJson } from "./json-error.ts";

/** The value of a JSON file, or why it cannot be read: as words for a sentence and as a problem. */
export type JsonRead =
  | { readonly value: Json }
  | { readonly missing: true }
  | { readonly malformed: string; readonly error: JsonReadError };

/** Reads a JSON file of a snapshot. Never throws. */
export function readJson(definitions: DefinitionSnapshot, path: string): JsonRead {
  return definitions.derived(`json ${path}`, () => {
    const read = readTextFile(definitions, path);
    if ("missing" in read) return read;
    if ("value" in read) return parseJson(read.value);
    return { malformed: read.unreadable, error: unreadableJson(read.unreadable) };
  });
}

/** Reads a text file of a snapshot; undefined if it is missing or unreadable. */
export function readText(definitions: DefinitionSnapshot, path: string): string | undefined {
  const read = readTextFile(definitions, path);
  return "value" in read ? read.value : undefined;
}

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
