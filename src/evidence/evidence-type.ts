import type { EvidenceType } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";

/** What stands under a name; null where nothing does. Only what was handed in counts, nothing inherited. */
export function submitted(evidence: JsonObject, field: string): Json {
  return Object.hasOwn(evidence, field) ? (evidence[field] ?? null) : null;
}

/** The name of a value's type: the narrowest that it fits. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value !== "number") return typeof value;
  // JSON says 1e999, and a number it is not.
  if (!Number.isFinite(value)) return "infinity";
  return Number.isInteger(value) ? "integer" : "number";
}

/** Tells whether a value is of a type; an integer is a number, and nothing else is two things. */
export function isOfType(value: unknown, type: EvidenceType): boolean {
  const found = typeName(value);
  return found === type || (type === "number" && found === "integer");
}

/** A text with nothing to see in it: blanks, control marks, and what has no width. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** A text or list with nothing in it that anybody sees: it is no evidence. */
export function isEmpty(value: Json): boolean {
  if (typeof value === "string") return isBlank(value);
  return Array.isArray(value) && !value.some(isSeen);
}

/** How many characters, items or keys a value has; what nobody sees does not count. Undefined where a value has no length. */
export function lengthOf(value: Json): number | undefined {
  if (typeof value === "string") return isBlank(value) ? 0 : countCharacters(value);
  if (Array.isArray(value)) return value.filter(isSeen).length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
}

/** Tells whether anything in an item can be seen; without recursion, since what a caller sends may be nested without end. */
function isSeen(item: Json): boolean {
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
