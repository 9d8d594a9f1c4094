import type { Json, JsonObject } from "../kit/json.ts";
import type { EvidenceType } from "./gate.ts";

/** The submitted value of a field, never an inherited one; null if there is none. */
export function fieldValue(evidence: JsonObject, field: string): Json {
  return Object.hasOwn(evidence, field) ? (evidence[field] ?? null) : null;
}

/** The narrowest type name of a value. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value !== "number") return typeof value;
  // JSON allows 1e999, which is not a number.
  if (!Number.isFinite(value)) return "infinity";
  return Number.isInteger(value) ? "integer" : "number";
}

/** Tells if a value has a type; an integer is also a number. */
export function isOfType(value: unknown, type: EvidenceType): boolean {
  if (type === "url") return typeof value === "string" && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value.trim());
  if (type === "date") return typeof value === "string" && isIsoDate(value.trim());
  return accepted[type].includes(typeName(value));
}

/** Tells if a text is a date of ISO 8601, with or without a time. */
function isIsoDate(text: string): boolean {
  const isWritten = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text);
  const [year = 0, month = 1, day = 1] = text.slice(0, 10).split("-").map(Number);
  return isWritten && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
}

/** The names of the values that each type takes. */
const accepted: Readonly<Record<EvidenceType, readonly string[]>> = {
  boolean: ["boolean"],
  integer: ["integer"],
  number: ["number", "integer"],
  string: ["string"],
  list: ["list"],
  object: ["object"],
  file: ["string"],
  url: ["string"],
  date: ["string"],
  any: ["boolean", "integer", "number", "string", "list", "object"],
};

/** Tells if a text has nothing visible: blanks, control characters, zero-width characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Tells if a text or list has nothing visible; it is no evidence then. */
export function isEmpty(value: Json): boolean {
  if (typeof value === "string") return isBlank(value);
  return Array.isArray(value) && !value.some(isVisible);
}

/** The number of visible characters, items or keys; undefined if the value has no length. */
export function lengthOf(value: Json): number | undefined {
  if (typeof value === "string") return isBlank(value) ? 0 : countCharacters(value);
  if (Array.isArray(value)) return value.filter(isVisible).length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
}

/** Tells if anything in an item is visible; iterative, since callers may send endless nesting. */
function isVisible(item: Json): boolean {
  const left: Json[] = [item];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "object") for (const value of Object.values(next ?? {})) left.push(value);
    else if (typeof next !== "string" || !isBlank(next)) return true;
  }
  return false;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
