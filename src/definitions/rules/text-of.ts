import { isObject, type Json } from "../../evidence/json.ts";

const asides = ["id", "type", "lang", "language", "format"];
const deepest = 6;

/** Finds the words in a value that people write in many shapes: a text, a list of texts, or an object with texts in it. */
export function textOf(value: Json | undefined, depth = 0): string {
  if (value === undefined || value === null || depth > deepest) return "";
  if (typeof value !== "object") return String(value).trim();
  const parts = isObject(value)
    ? Object.entries(value).flatMap(([key, part]) => (asides.includes(key) ? [] : [part]))
    : value;
  return parts
    .map((part) => textOf(part, depth + 1))
    .filter((text) => text !== "")
    .join("\n");
}

/** The same as one text for each item, where the value is a list. */
export function textsOf(value: Json | undefined): string[] {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map((part) => textOf(part)).filter((text) => text !== "");
}
