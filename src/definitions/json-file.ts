import type { Json } from "../workflow/json.ts";
import { liveFile } from "./live-file.ts";

/** What a JSON file says now, or why that cannot be known. */
export type JsonRead = { readonly value: Json } | { readonly missing: true } | { readonly malformed: string };

/** Reads a JSON file as it stands now; cheap where it has not changed. Never throws. */
export function readJson(path: string): JsonRead {
  const read = readParsed(path);
  if ("missing" in read) return read;
  return "unreadable" in read ? { malformed: read.unreadable } : read.value;
}

/** Reads a text file as it stands now, without a byte order mark; undefined where it is missing or unreadable. */
export function readText(path: string): string | undefined {
  const read = readWhole(path);
  return "value" in read ? read.value : undefined;
}

const readParsed = liveFile(parseJson);
const readWhole = liveFile((text) => text);

function parseJson(text: string): { readonly value: Json } | { readonly malformed: string } {
  if (text.trim() === "") return { malformed: "it is empty" };
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch (error) {
    return { malformed: `it is not valid JSON${whereIn(text, error instanceof Error ? error.message : "")}` };
  }
}

function whereIn(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return `, line ${text.slice(0, Number(position)).split("\n").length}`;
  if (message.includes("end of JSON")) return ": it ends too early";
  const token = /^Unexpected token '(.)'/u.exec(message)?.[1];
  return token === undefined ? "" : `: an unexpected ${token}`;
}
