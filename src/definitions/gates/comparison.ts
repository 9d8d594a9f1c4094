import type { Comparison, EvidenceType, Operand } from "../../gates/gate.ts";

/** A comparison before it has a message and a source. */
export type ParsedComparison = Omit<Comparison, "message" | "source">;

/** The fields a comparison may name, with their types. */
export type FieldTypes = ReadonlyMap<string, EvidenceType>;

/** Parses a comparison such as `a + length(b) >= phase_4.c`, or says why it cannot. */
export function parseComparison(
  text: string,
  fields: FieldTypes,
): { readonly comparison: ParsedComparison } | { readonly unusable: string } {
  const split = splitComparison(text);
  if (split === undefined) return { unusable: twoSides };
  const { is } = split;
  const sides = split.sides.map((side) => side.map((part) => termOf(part, fields)));
  const bad = sides.flat().find((term) => "unusable" in term);
  if (bad !== undefined && "unusable" in bad) return bad;
  const terms = sides.map((side) => side.flatMap((term) => ("unusable" in term ? [] : [term])));
  const all = terms.flat();
  const kinds = all.map(({ kind }) => kind).filter((kind) => kind !== "any");
  const isNumeric = (is !== "equal_to" && is !== "different_from") || all.length > 2;
  const odd = kinds.find((kind) => kind !== (isNumeric ? "number" : kinds[0]));
  if (odd !== undefined) return { unusable: `a ${odd} cannot be compared like this` };
  if (all.every(({ operand }) => "value" in operand)) return { unusable: "it names no field" };
  const [left = { sum: [] }, right = { sum: [] }] = terms.map(([first, ...more]): Operand | undefined =>
    more.length === 0 ? first?.operand : { sum: [first, ...more].flatMap((term) => term?.operand ?? []) },
  );
  return { comparison: { left, is, right } };
}

/** Says what a comparison needs. */
export const twoSides = "it must have two sides and one of ==, !=, <, <=, >, >=";

/** Splits a comparison into its sign and the added parts of both sides. */
export function splitComparison(
  text: string,
): { readonly is: Comparison["is"]; readonly sides: readonly (readonly string[])[] } | undefined {
  // quoted words may hold signs of their own
  const words: string[] = [];
  const masked = text.replaceAll(/"[^"]*"|'[^']*'/g, (word) => `\0${words.push(word) - 1}\0`);
  const [, before = "", sign = "", after = ""] = /^([^<>=!]+)(<=|>=|==|!=|<|>)([^<>=!]+)$/.exec(masked) ?? [];
  const is = signs.get(sign);
  if (is === undefined) return undefined;
  const unmasked = (part: string): string => part.replaceAll(/\0(\d+)\0/g, (_, at) => words[Number(at)] ?? "").trim();
  return { is, sides: [before, after].map((side) => side.split("+").map(unmasked)) };
}

const signs: ReadonlyMap<string, Comparison["is"]> = new Map([
  ["==", "equal_to"],
  ["!=", "different_from"],
  [">=", "at_least"],
  [">", "more_than"],
  ["<=", "at_most"],
  ["<", "less_than"],
]);

type Term = { readonly operand: Operand; readonly kind: "number" | "string" | "boolean" | "any" };

function termOf(text: string, fields: FieldTypes): Term | { readonly unusable: string } {
  const literal = literalOf(text);
  if (literal !== undefined) return { operand: { value: literal }, kind: kindOf(literal) };
  const [, counted, digits, name = ""] =
    /^(?:(len|length|count)\(\s*)?(?:phase_(\d+)\.)?([\p{L}_][\p{L}\p{N}_-]*)\s*\)?$/u.exec(text) ?? [];
  const isCounted = counted !== undefined;
  if (name === "" || isCounted !== text.endsWith(")")) return { unusable: `"${text}" is neither a field nor a value` };
  const named = isCounted ? { lengthOf: name } : { field: name };
  // Fields of earlier phases are checked later, when all phases are known.
  if (digits !== undefined) return { operand: { ...named, step: Number(digits) }, kind: isCounted ? "number" : "any" };
  const type = fields.get(name);
  if (type === undefined)
    return {
      unusable: `the field ${name} is not in evidence_schema; use ${[...fields.keys()].join(", ") || "one that is"}`,
    };
  const isLong = type === "list" || type === "object";
  if (isCounted && !isLong && type !== "string") return { unusable: `${name} is a ${type} and has no length` };
  if (!isCounted && isLong) return { unusable: `${name} is a ${type}; compare its length: length(${name})` };
  return { operand: named, kind: !isCounted && (type === "string" || type === "boolean") ? type : "number" };
}

/** The value of a written boolean, number or quoted text; undefined for anything else. */
export function literalOf(text: string): boolean | number | string | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^(["'])(.*)\1$/s.exec(text)?.[2];
}

function kindOf(value: boolean | number | string): Term["kind"] {
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
}
