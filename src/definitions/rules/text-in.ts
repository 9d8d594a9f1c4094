import { isObject, type Json } from "../../kit/json.ts";

const independentSteps = ["id", "type", "lang", "language", "format"];
const deepest = 6;

/** The text in a value of any common shape: a string, a list of strings, or an object with strings. */
export function textIn(value: Json | undefined, depth = 0): string {
  if (value === undefined || value === null || depth > deepest) return "";
  if (typeof value !== "object") return String(value).trim();
  const parts = isObject(value)
    ? Object.entries(value).flatMap(([key, part]) => (independentSteps.includes(key) ? [] : [part]))
    : value;
  return parts
    .map((part) => textIn(part, depth + 1))
    .filter((text) => text !== "")
    .join("\n");
}

/** The texts of a value, one for each item of a list. */
export function textsIn(value: Json | undefined): string[] {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map((part) => textIn(part)).filter((text) => text !== "");
}
