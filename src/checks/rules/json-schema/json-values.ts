import { isObject, type Json } from "../../../kit/json.ts";

/** The JSON Schema type of a value; a number without a fraction is an integer. */
export function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" && Number.isInteger(value)) return "integer";
  return typeof value;
}

/** Tells if a value has a type; every integer is a number too. */
export function hasType(value: Json, type: Json): boolean {
  const found = typeOf(value);
  return found === type || (found === "integer" && type === "number");
}

/** Serializes a value independently of key order. */
export function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join(",")}}`;
}

/** Tells if two values are equal. */
export function isSameValue(a: Json, b: Json): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  return sortedJson(a) === sortedJson(b);
}

/** Tells if a number is a whole multiple of another, in decimals: 0.3 is one of 0.1. */
export function isMultiple(value: number, divisor: number): boolean {
  const nearest = Math.round(value / divisor) * divisor;
  return nearest === value || nearest.toPrecision(15) === value.toPrecision(15);
}

/** Tells if lists and objects nest deeper than a limit. */
export function isDeeperThan(limit: number, document: Json): boolean {
  let level: Json[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values<Json>(value) : []));
  }
  return false;
}
