import type { EvidenceRule, EvidenceType } from "./gate.ts";
import type { Json } from "./json.ts";
import type { Made } from "./rule-entry.ts";
import { numberOf } from "./written-number.ts";

/** A plain word as it is; anything that could be taken for something else as JSON. */
export function show(value: Json): string {
  const isWord = typeof value === "string" && /^\p{L}[\p{L}\p{N}_-]*$/u.test(value);
  return isWord && !["true", "false", "null"].includes(value.toLowerCase()) ? value : JSON.stringify(value);
}

/** A rule about a text. */
export function withText(text: Json | undefined, make: (text: string) => EvidenceRule): Made {
  return typeof text === "string" && text !== "" ? [make(text)] : { unusable: "a text is missing" };
}

/** A rule about one value of the type. */
export function withValue(kind: "equals" | "differs_from", written: Json | undefined, type: EvidenceType): Made {
  const value = written === undefined ? undefined : asValue(written, type);
  return value === undefined ? { unusable: `${JSON.stringify(written ?? null)} is no ${type}` } : [{ kind, value }];
}

/** A value as the type has it: a word in a name may stand for a number or a yes. */
export function asValue(value: Json, type: EvidenceType): Json | undefined {
  if (type === "string")
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  if (typeof value !== "string") return isValueOf(value, type) ? value : undefined;
  if (type === "boolean")
    return value.toLowerCase() === "true" ? true : value.toLowerCase() === "false" ? false : undefined;
  return type === "integer" || type === "number" ? numberOf(value) : undefined;
}

/** Tells whether a value is of a type. */
export function isValueOf(value: Json, type: EvidenceType): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "list") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** Tells whether a text or list holds a text. */
export function holdsText(text: string, value: Json): boolean | { readonly untold: string } {
  if (typeof value !== "string" && !Array.isArray(value)) return { untold: "is neither text nor list" };
  return value.includes(text);
}

/** Tells whether values of a type have a length. */
export function hasLength(type: EvidenceType): boolean {
  return type === "string" || type === "list" || type === "object";
}
