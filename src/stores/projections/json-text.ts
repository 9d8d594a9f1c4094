import { isObject, type JsonObject } from "../../workflow/json.ts";

/** Parses a file's text; a byte order mark in front is no part of it. Undefined where it is not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch {
    return undefined;
  }
}

/** Parses a text that holds one object; undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)?.value;
  return isObject(value) ? value : undefined;
}

/** Parses a text that holds a list of objects; undefined for anything else, and for what is nested too deep to be written again. */
export function parseObjects(text: string): readonly JsonObject[] | undefined {
  const value = parseJson(text)?.value;
  if (!Array.isArray(value)) return undefined;
  return value.every((entry): entry is JsonObject => isObject(entry) && isShallow(entry, 100)) ? value : undefined;
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

/** Puts a projection's pieces together; an empty text where there are none. */
export function textOf(pieces: readonly Buffer[] | undefined): string {
  return Buffer.concat(pieces ?? []).toString("utf8");
}
