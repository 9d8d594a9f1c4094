import type { Json } from "../evidence/json.ts";
import { type JsonTrouble, troubleIn, unreadable } from "./json-trouble.ts";
import { liveFile } from "./live-file.ts";

/** What a JSON file says now, or why that cannot be known: in words for a sentence, and as a problem by itself. */
export type JsonRead =
  | { readonly value: Json }
  | { readonly missing: true }
  | { readonly malformed: string; readonly trouble: JsonTrouble };

/** Reads a JSON file as it stands now; cheap where it has not changed. Never throws. */
export function readJson(path: string): JsonRead {
  const read = readParsed(path);
  if ("missing" in read) return read;
  return "unreadable" in read ? { malformed: read.unreadable, trouble: unreadable(read.unreadable) } : read.value;
}

/** Reads a text file as it stands now, without a byte order mark; undefined where it is missing or unreadable. */
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
    const trouble = troubleIn(text);
    const where = trouble.code === "empty-file" ? "" : ` (line ${trouble.line})`;
    return { malformed: trouble.message + where, trouble };
  }
}
