import type { Comparison, EvidenceRule, EvidenceType } from "../../../evidence/gate.ts";
import { type Bound, lengthRule } from "../../../evidence/rule-entry.ts";
import { describeRule, fits } from "../../../evidence/vocabulary.ts";
import { findPatternProblem } from "../../rules/pattern-problem.ts";
import type { Line } from "../markdown/lines.ts";
import { type Clauses, readClauses, type Said } from "./clauses.ts";
import { typeOfName } from "./lexicon.ts";
import { tokensOf } from "./tokens.ts";
import { typeIn } from "./types.ts";

/** What the words about a field come to: all of it, or why it is not understood. */
export type Meaning =
  | {
      readonly type: EvidenceType;
      readonly rules: readonly EvidenceRule[];
      readonly required?: boolean;
      readonly mayBeEmpty: boolean;
      /** Other fields that it must stand in a relation to. */
      readonly relations: readonly Relation[];
    }
  | { readonly unclear: string };

export type Relation = { readonly is: Comparison["is"]; readonly field: string };

/** Where words about a field stand: its name, whether it is a box, its type where that is written elsewhere, and which names are fields. */
export type Context = {
  readonly field: string;
  readonly isBox: boolean;
  readonly type?: EvidenceType;
  isField(name: string): boolean;
};

/** Understands the words about a field, whole or not at all. */
export function meaningOf(words: Pick<Line, "text" | "marks">, context: Context): Meaning {
  const tokens = tokensOf(words);
  const read = context.type === undefined ? typeIn(tokens) : { type: context.type };
  const first = readClauses(tokens, read.type === "boolean", context.isField);
  if (read.unclear !== undefined) return { unclear: read.unclear };
  const type = read.type ?? typeOfName(context.field) ?? impliedType(first, context.isBox);
  // A box that says nothing of a value is a promise in its own words, and these may say "no".
  const clauses = type === "boolean" ? readClauses(tokens, true, context.isField) : first;
  if (clauses.unclear !== undefined) return { unclear: clauses.unclear };
  const rules: EvidenceRule[] = [];
  for (const said of clauses.said) {
    const made = rulesOf(said, type, words.text);
    if ("unusable" in made) return { unclear: made.unusable };
    rules.push(...made);
  }
  const misfit = rules.find((rule) => !fits(rule, type));
  if (misfit !== undefined) return { unclear: `"${describeRule(misfit)}" cannot be asked of a ${type}` };
  const pattern = rules.flatMap((rule) => (rule.kind === "matches" ? (findPatternProblem(rule.pattern) ?? []) : []));
  if (pattern[0] !== undefined) return { unclear: pattern[0] };
  return {
    type,
    rules: [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    ...(clauses.required === undefined ? {} : { required: clauses.required }),
    mayBeEmpty: clauses.mayBeEmpty,
    relations: clauses.relations,
  };
}

/** The type that rules are asked of, where no word names it: a bound is one of a number. */
function impliedType({ said, relations, mayBeEmpty }: Clauses, isBox: boolean): EvidenceType {
  const [first] = said;
  if (first === undefined) return relations.length > 0 ? "number" : isBox && !mayBeEmpty ? "boolean" : "string";
  if (first.unit !== undefined && isCharacters(first.unit)) return "string";
  if (first.unit !== undefined && isItems(first.unit)) return "list";
  if (first.form.takes === "number" || first.form.takes === "numbers") return "number";
  const [value] = first.given;
  if (first.form.takes === "value" || first.form.takes === "values")
    return typeof value === "boolean"
      ? "boolean"
      : first.given.every((one) => typeof one === "number")
        ? "number"
        : "string";
  const plain = first.form.make([], "number");
  return first.form.takes === "nothing" && !("unusable" in plain) && plain.some((rule) => fits(rule, "number"))
    ? "number"
    : "string";
}

function rulesOf(
  said: Said,
  type: EvidenceType,
  words: string,
): readonly EvidenceRule[] | { readonly unusable: string } {
  const { form, given, unit } = said;
  const isText = type === "string";
  if (unit !== undefined && (isText || isCharacters(unit))) {
    if (!isText || !isCharacters(unit)) return { unusable: `a ${type} cannot be measured in ${unit}` };
    return inCharacters(said);
  }
  // "exactly 3 entries" of a list is about its length.
  if (form.kind === "equals" && (type === "list" || type === "object") && typeof given[0] === "number")
    return exactly(given[0]);
  const made = form.make(given, type);
  if ("unusable" in made) return made;
  const isFolder = words.toLowerCase().includes("folder") || words.toLowerCase().includes("directory");
  return made.map((rule) => (rule.kind === "file_exists" && isFolder ? { kind: "directory_exists" } : rule));
}

function inCharacters({ form, given }: Said): readonly EvidenceRule[] | { readonly unusable: string } {
  const [from, to] = given;
  if (form.kind === "equals" && typeof from === "number") return exactly(from);
  if (form.takes === "numbers" && typeof from === "number" && typeof to === "number") {
    const [least, most] = [lengthRule("at_least", from), lengthRule("at_most", to)];
    return "unusable" in least ? least : "unusable" in most ? most : [...least, ...most];
  }
  return isBound(form.kind) && typeof from === "number"
    ? lengthRule(form.kind, from)
    : { unusable: "it has no such length" };
}

function exactly(limit: number): readonly EvidenceRule[] | { readonly unusable: string } {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  return [
    { kind: "length_at_least", limit },
    { kind: "length_at_most", limit },
  ];
}

function isBound(kind: string | undefined): kind is Bound {
  return kind === "at_least" || kind === "more_than" || kind === "at_most" || kind === "less_than";
}

function isCharacters(unit: string): boolean {
  return ["character", "characters", "chars", "letters"].includes(unit);
}

function isItems(unit: string): boolean {
  return ["item", "items", "entry", "entries", "element", "elements"].includes(unit);
}
