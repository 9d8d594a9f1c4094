import { isObject, type JsonObject } from "../../kit/json.ts";

/** Parses a file's text without its byte order mark; undefined if it is not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

const byteOrderMark = 0xfeff;

/** Parses a text that holds one object; undefined otherwise. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)?.value;
  return isObject(value) ? value : undefined;
}

/** Parses a text that holds a list of objects; undefined otherwise, or if nested too deep to be written again. */
export function parseObjects(text: string): readonly JsonObject[] | undefined {
  const value = parseJson(text)?.value;
  if (!Array.isArray(value)) return undefined;
  return value.every((entry): entry is JsonObject => isObject(entry) && isShallow(entry, 100)) ? value : undefined;
}

/** Tells if a value is nested no deeper than `depth`. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
