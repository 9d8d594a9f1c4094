import { describeComparison } from "../../evidence/evidence-words.ts";
import type { Comparison, EvidenceType, Operand } from "../../evidence/gate.ts";
import { oneLine } from "../one-line.ts";

/** A demand on several fields as data; or why the gate must stay closed. */
export type ComparisonRead = { readonly comparison: Bare } | { readonly unusable: string };

/** A comparison before it has a message and a place. */
export type Bare = Omit<Comparison, "message" | "source">;

/** The fields that a comparison may name, with their types. */
export type Fields = ReadonlyMap<string, EvidenceType>;

/** Reads `a + length(b) >= phase_4.c`: fields, lengths, numbers and sums of them on both sides of one sign. */
export function parseComparison(text: string, fields: Fields): ComparisonRead {
  const [, before = "", sign = "", after = ""] = /^([^<>=!]+)(<=|>=|==|!=|<|>)([^<>=!]+)$/.exec(text) ?? [];
  const is = signs.get(sign);
  if (is === undefined) return { unusable: "it is not two sides and one of ==, !=, <, <=, >, >=" };
  const left = sideOf(before, fields);
  const right = sideOf(after, fields);
  if ("unusable" in left) return left;
  if ("unusable" in right) return right;
  const kinds = [...left.kinds, ...right.kinds].filter((kind) => kind !== "any");
  const isOrder = is !== "equal_to" && is !== "different_from";
  const isSum = left.kinds.length + right.kinds.length > 2;
  const odd = kinds.find((kind) => (isOrder || isSum ? kind !== "number" : kind !== kinds[0]));
  if (odd !== undefined) return { unusable: `a ${odd} cannot be compared in this way` };
  if (!left.isField && !right.isField) return { unusable: "it names no field" };
  return { comparison: { left: left.operand, is, right: right.operand } };
}

/** What a comparison says where its author has left it unsaid. */
export function messageOf(comparison: Bare, message: string): string {
  return oneLine(message) || describeComparison(comparison);
}

const signs: ReadonlyMap<string, Comparison["is"]> = new Map([
  ["==", "equal_to"],
  ["!=", "different_from"],
  [">=", "at_least"],
  [">", "more_than"],
  ["<=", "at_most"],
  ["<", "less_than"],
]);

type Kind = "number" | "string" | "boolean" | "any";
type Side = { readonly operand: Operand; readonly kinds: readonly Kind[]; readonly isField: boolean };

function sideOf(text: string, fields: Fields): Side | { readonly unusable: string } {
  const terms = text.split("+").map((part) => termOf(part.trim(), fields));
  const bad = terms.find((term) => "unusable" in term);
  if (bad !== undefined && "unusable" in bad) return bad;
  const good = terms.flatMap((term) => ("unusable" in term ? [] : [term]));
  const [only] = good;
  const operand: Operand =
    only !== undefined && good.length === 1 ? only.operand : { sum: good.map((one) => one.operand) };
  return { operand, kinds: good.map(({ kind }) => kind), isField: good.some(({ isField }) => isField) };
}

type Term = { readonly operand: Operand; readonly kind: Kind; readonly isField: boolean };

function termOf(text: string, fields: Fields): Term | { readonly unusable: string } {
  const value = literalOf(text);
  if (value !== undefined) return { operand: { value }, kind: kindOf(value), isField: false };
  const [, counted, digits, name = ""] =
    /^(?:(len|length|count)\(\s*)?(?:phase_(\d+)\.)?([\p{L}_][\p{L}\p{N}_-]*)\s*\)?$/u.exec(text) ?? [];
  const isCounted = counted !== undefined;
  if (name === "" || isCounted !== text.endsWith(")")) return { unusable: `"${text}" is neither a field nor a value` };
  const named = isCounted ? { lengthOf: name } : { field: name };
  // What an earlier phase asks for is looked up when all phases are known.
  if (digits !== undefined)
    return { operand: { ...named, step: Number(digits) }, kind: isCounted ? "number" : "any", isField: true };
  const type = fields.get(name);
  if (type === undefined) return { unusable: `it names the field ${name}, which evidence_schema does not have` };
  const isLong = type === "list" || type === "object";
  if (isCounted && !isLong && type !== "string") return { unusable: `${name} is a ${type} and has no length` };
  if (!isCounted && isLong) return { unusable: `${name} is a ${type}; compare its length: length(${name})` };
  return { operand: named, kind: isCounted || type === "integer" ? "number" : kindOfType(type), isField: true };
}

function kindOfType(type: EvidenceType): Kind {
  return type === "string" || type === "boolean" ? type : "number";
}

function literalOf(text: string): number | string | boolean | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^(["'])(.*)\1$/s.exec(text)?.[2];
}

function kindOf(value: number | string | boolean): Kind {
  return typeof value === "number" ? "number" : typeof value === "string" ? "string" : "boolean";
}
