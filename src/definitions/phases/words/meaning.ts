import type { EvidenceType } from "../../../workflow/gate.ts";
import type { Demand } from "../demands/demand.ts";
import type { Relation } from "./limit-words.ts";
import { namedRules, typeOfValidator } from "./named-rules.ts";
import { patternIn } from "./pattern-words.ts";
import { relationsIn } from "./relations.ts";
import { readRules } from "./rule-words.ts";
import { inferType, typeOfName } from "./type-words.ts";

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

/** A limit on a field of which nothing says the type makes a number of it, or a list where things are counted. */
function typeFor(field: string, text: string, validators: readonly string[]): Pick<Demand, "type" | "certainty"> {
  const words = patternIn(text).rest;
  const inferred = inferType(field, words);
  const { relations, isFractional } = relationsIn(words);
  if (
    inferred.type === "integer" &&
    inferred.certainty === "read" &&
    (isFractional || isBroken(words) || isShare(field) || isUnitInterval(field, relations))
  )
    return { type: "number", certainty: "read" };
  if (inferred.certainty !== "assumed") return inferred;
  const noted = validators.map(typeOfValidator).find((type) => type !== undefined);
  if (noted !== undefined) return { type: noted, certainty: "read" };
  const { rules } = readRules(text, "string", field);
  const choice = rules.find(({ kind }) => kind === "one_of");
  if (choice?.kind === "one_of") return { type: typeOfValues(choice.values), certainty: "read" };
  if (rules.some(({ kind }) => telling.has(kind))) return { type: "string", certainty: "read" };
  const isLimited = relations.length > 0 || readRules(words, "integer", field).rules.length > 0;
  if (!isLimited) return inferred;
  if (/\b(?:characters?|chars?|words?|lines?|letters?|length|sentences?|paragraphs?)\b/i.test(words)) return inferred;
  if (
    /\d+ (?:items?|entries|elements?|rows?)\b|\b(?:items|entries|elements)\b/i.test(words) ||
    isCollected(field, words, relations)
  )
    return { type: "list", certainty: "read" };
  const isNumber = isFractional || isUnitInterval(field, relations) || /%|\/\s*\d/.test(words);
  return { type: isNumber ? "number" : "integer", certainty: "read" };
}

/** Between 0 and 1 there is no whole number worth asking for, unless something is counted. */
function isUnitInterval(field: string, relations: readonly Relation[]): boolean {
  const has = (kind: Relation["kind"], limit: number): boolean =>
    relations.some((relation) => relation.kind === kind && relation.limit === limit);
  return has("at_least", 0) && has("at_most", 1) && typeOfName(field) !== "integer";
}

/** What is measured or shown with a fraction is a number, not a count: "a real number", "e.g. 0.75". */
function isBroken(words: string): boolean {
  return (
    /\b(?:decimals?|float|floating|real number|fraction(?:al)?|ratio)\b/i.test(words) ||
    /\b(?:e\.g\.|eg|for (?:example|instance)|such as|like|example:?)[:,]?\s*\$?-?\d+\.\d/i.test(words)
  );
}

/** `ratio_x`: a name that speaks of a share, unless it ends in what it counts. */
function isShare(field: string): boolean {
  return (
    typeOfName(field) === undefined &&
    /(?:^|[_-])(?:ratio|rate|percent(?:age)?|pct|average|avg|mean|median)(?:[_-]|$)/i.test(field)
  );
}

/** "names of at least two people", "`screenshots`: at least 3 screenshots": the things themselves are asked for, not how many. */
function isCollected(field: string, words: string, relations: readonly Relation[]): boolean {
  if (!relations.some(({ kind, limit }) => kind === "more_than" || (kind === "at_least" && limit > 0))) return false;
  if (/^[\s;:=(–—-]*(?:the )?(?:names|urls|links|paths|titles|ids)\b/i.test(words)) return true;
  const last = field.toLowerCase().split(/[_-]/).at(-1) ?? "";
  if (!/[^s]s$/.test(last) || measured.test(last)) return false;
  const one = last.replace(/ies$/, "y").replace(/s$/, "");
  return relations.some(
    ({ unit }) => unit === last || unit === one || /^(?:names|urls|links|paths|people)$/.test(unit),
  );
}

/** What is counted or measured, and never handed in one by one. */
const measured =
  /^(?:(?:milli)?seconds|minutes|hours|days|weeks|months|years|bytes|points|stars|tests|runs|tries|retries|attempts|calls|requests|hits|passes|iterations|cycles|users|lines|words|tokens|loops|times|votes)$/;

/** Rules that only a text can have. */
const telling = new Set(["equals", "contains", "matches", "file_exists", "directory_exists"]);

function typeOfValues(values: readonly unknown[]): EvidenceType {
  const isEvery = (pattern: RegExp): boolean => values.every((value) => pattern.test(String(value)));
  if (isEvery(/^-?\d+$/)) return "integer";
  return isEvery(/^-?\d+(?:\.\d+)?$/) ? "number" : "string";
}
