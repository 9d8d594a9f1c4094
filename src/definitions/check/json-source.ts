import { isObject, type Json } from "../../workflow/json.ts";
import { readJson, readText } from "../json-file.ts";
import type { Noted } from "./finding.ts";
import { type Duplicate, deepestNamed, type JsonPath, nameOfPath, scanJson } from "./json-scan.ts";

/** A JSON file as it stands: what it says, and on which line it says it. */
export type JsonSource = {
  readonly value: Json;
  /** What stands at a path. */
  at(path: JsonPath): Json | undefined;
  /** The line of the deepest part of a path that the file really has. */
  lineOf(path: JsonPath): number;
  readonly duplicates: readonly (Duplicate & { readonly line: number })[];
  /** Nested as nobody writes it by hand. */
  readonly isTooDeep: boolean;
};

/** Reads a JSON file with its lines; a finding where the loader cannot read it, undefined where it is not there. */
export function readSource(path: string): JsonSource | { readonly trouble: Noted } | undefined {
  const read = readJson(path);
  if ("missing" in read) return undefined;
  const text = readText(path) ?? "";
  if ("malformed" in read) return { trouble: troubleWith(path, text, read.malformed) };
  const scan = scanJson(text);
  const places = "places" in scan ? scan.places : new Map<string, never>();
  return {
    value: read.value,
    at: (path) => valueAt(read.value, path),
    lineOf: (wanted) => {
      for (let length = wanted.length; length > 0; length--) {
        const place = places.get(nameOfPath(wanted.slice(0, length)));
        if (place !== undefined) return lineAt(text, (place.key ?? place.value).start);
      }
      return 1;
    },
    isTooDeep: "levels" in scan && scan.levels > deepestNamed,
    duplicates: ("duplicates" in scan ? scan.duplicates : []).map((one) => ({ ...one, line: lineAt(text, one.at) })),
  };
}

function valueAt(document: Json, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }, document);
}

/** The line of a part of a JSON file; 1 where the file cannot be read. */
export function lineIn(path: string, at: JsonPath): number {
  const source = readSource(path);
  return source === undefined || "trouble" in source ? 1 : source.lineOf(at);
}

/** The line, from 1, that holds an offset of a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function troubleWith(path: string, text: string, malformed: string): Noted {
  if (malformed === "it is empty") {
    const fix = "Write its content, or delete the file.";
    return { code: "empty-file", path, line: 1, message: "the file is empty", fix };
  }
  const scan = scanJson(text);
  if (!malformed.startsWith("it is not valid JSON") || !("brokenAt" in scan)) {
    const fix = "Replace it with a JSON file that can be read.";
    return { code: "cannot-be-used", path, line: 1, message: malformed, fix };
  }
  const { what, fix } = scan.endsEarly ? ends : guess(text, scan.brokenAt);
  const line = lineAt(text, scan.brokenAt);
  return { code: "malformed-json", path, line, message: `it is not valid JSON: ${what}`, fix };
}

const ends = { what: "it ends too early", fix: "Close every quote, bracket and brace." };

/** What most likely went wrong where a text stops being JSON. */
function guess(text: string, at: number): { readonly what: string; readonly fix: string } {
  const char = text.charAt(at);
  const before = text.slice(0, at).trimEnd().at(-1) ?? "";
  if (/[}\]]/.test(char) && before === ",") {
    return { what: "a comma stands before the end", fix: "Delete the comma after the last entry." };
  }
  if (/[/#]/.test(char)) return { what: "it has a comment", fix: "Delete the comment: JSON has none." };
  if (char === "'") return { what: "it has single quotes", fix: "Write texts in double quotes." };
  if (char === '"' && /["\w}\]]/.test(before)) {
    return { what: "a comma is missing", fix: "Put a comma between the two entries." };
  }
  return { what: `${JSON.stringify(char)} cannot stand here`, fix: "Mend the JSON on this line." };
}
