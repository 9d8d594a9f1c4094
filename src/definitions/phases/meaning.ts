import type { EvidenceType } from "../../workflow/gate.ts";
import type { Demand } from "./demand.ts";
import { namedRules, typeOfValidator } from "./named-rules.ts";
import { relationsIn } from "./relations.ts";
import { readRules } from "./rule-words.ts";
import { inferType } from "./type-words.ts";

/** What words say of a field's value: its type and its rules. */
export type Meaning = Pick<Demand, "type" | "certainty" | "required" | "rules" | "mayBeEmpty"> & {
  /** What is a rule and cannot be understood. */
  readonly unclear: readonly string[];
};

/** Reads type and rules out of the words about a field: one reader for sentences, checkboxes and tables alike. */
export function meaningOf(field: string, words: string, validators: readonly string[]): Meaning {
  const { type, certainty } = typeFor(field, words, validators);
  const worded = readRules(words, type, field);
  const listed = validators.map((written) => namedRules(written, type, field));
  return {
    type,
    certainty,
    required: worded.required,
    rules: [...listed.flatMap((read) => ("rules" in read ? read.rules : [])), ...worded.rules],
    mayBeEmpty: worded.mayBeEmpty || listed.some((read) => "rules" in read && read.mayBeEmpty),
    unclear: [
      ...(worded.unclear === undefined ? [] : [worded.unclear]),
      ...listed.flatMap((read) => ("unclear" in read ? [read.unclear] : [])),
    ],
  };
}

/** A limit on a field of which nothing says the type makes a number of it, or a list where items are counted. */
function typeFor(field: string, words: string, validators: readonly string[]): Pick<Demand, "type" | "certainty"> {
  const inferred = inferType(field, words);
  const { relations, isFractional } = relationsIn(words);
  const isBroken = isFractional || /\b(?:decimal|float|fraction(?:al)?|ratio)\b/i.test(words);
  if (inferred.type === "integer" && inferred.certainty === "read" && isBroken)
    return { type: "number", certainty: "read" };
  if (inferred.certainty !== "assumed") return inferred;
  const noted = validators.map(typeOfValidator).find((type) => type !== undefined);
  if (noted !== undefined) return { type: noted, certainty: "read" };
  const { rules } = readRules(words, "string", field);
  const choice = rules.find(({ kind }) => kind === "one_of");
  if (choice?.kind === "one_of") return { type: typeOfValues(choice.values), certainty: "read" };
  if (rules.some(({ kind }) => telling.has(kind))) return { type: "string", certainty: "read" };
  const isLimited = relations.length > 0 || readRules(words, "integer", field).rules.length > 0;
  if (!isLimited) return inferred;
  if (/\b(?:characters?|chars?|words?|lines?|letters?|length)\b/i.test(words)) return inferred;
  if (/\d+ (?:items?|entries|elements?|rows?)\b|\b(?:items|entries|elements)\b/i.test(words))
    return { type: "list", certainty: "read" };
  return { type: isFractional || /%|\/\s*\d/.test(words) ? "number" : "integer", certainty: "read" };
}

/** Rules that only a text can have. */
const telling = new Set(["equals", "contains", "matches", "file_exists", "directory_exists"]);

function typeOfValues(values: readonly unknown[]): EvidenceType {
  const isEvery = (pattern: RegExp): boolean => values.every((value) => pattern.test(String(value)));
  if (isEvery(/^-?\d+$/)) return "integer";
  return isEvery(/^-?\d+(?:\.\d+)?$/) ? "number" : "string";
}
