import type { Json } from "../kit/json.ts";
import { parseNumber } from "../kit/parse-number.ts";
import type { EvidenceRule, EvidenceType } from "./gate.ts";
import type { MadeRules } from "./made-rules.ts";

/** A plain word as it is; anything ambiguous as JSON. */
export function show(value: Json): string {
  const isWord = typeof value === "string" && /^\p{L}[\p{L}\p{N}_-]*$/u.test(value);
  return isWord && !["true", "false", "null"].includes(value.toLowerCase()) ? value : JSON.stringify(value);
}

/** Makes a rule about a text. */
export function withText(text: Json | undefined, make: (text: string) => EvidenceRule): MadeRules {
  return typeof text === "string" && text !== "" ? [make(text)] : { unusable: "a text is missing" };
}

/** Makes a rule about one value of the type. */
export function withValue(kind: "equals" | "differs_from", written: Json | undefined, type: EvidenceType): MadeRules {
  const value = written === undefined ? undefined : asValue(written, type);
  return value === undefined
    ? {
        unusable: `${JSON.stringify(written ?? null)} is not of type ${type}`,
      }
    : [{ kind, value }];
}

/** Converts a value to the type: a word may mean a number or a boolean. */
export function asValue(value: Json, type: EvidenceType): Json | undefined {
  if (type === "any") return value;
  if (isText(type)) return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  if (typeof value !== "string") return isValueOf(value, type) ? value : undefined;
  if (type === "boolean")
    return value.toLowerCase() === "true" ? true : value.toLowerCase() === "false" ? false : undefined;
  return type === "integer" || type === "number" ? parseNumber(value) : undefined;
}

/** Tells if a value has a type. */
export function isValueOf(value: Json, type: EvidenceType): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "list") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "any" || typeof value === (isText(type) ? "string" : type);
}

/** Tells if values of a type are texts. */
export function isText(type: EvidenceType): boolean {
  return type === "string" || type === "file" || type === "url" || type === "date";
}

/** Tells if a text or list contains a text. */
export function holdsText(text: string, value: Json): boolean | { readonly undecidable: string } {
  if (typeof value !== "string" && !Array.isArray(value)) return { undecidable: "is neither text nor list" };
  return value.includes(text);
}

/** Tells if values of a type have a length. */
export function hasLength(type: EvidenceType): boolean {
  return isText(type) || type === "list" || type === "object";
}
