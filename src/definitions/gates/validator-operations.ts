import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import type { Json } from "../../workflow/json.ts";
import { escaped } from "./expression-calls.ts";
import { evidenceTypeOf } from "./type-names.ts";
import { numberIn } from "./validator-numbers.ts";
import type { ValidatorRead } from "./validator-read.ts";

/** One word of the vocabulary: makes rules of what stands beside the word. */
export type Operation = {
  readonly takes: "nothing" | "number" | "numbers" | "value" | "values" | "text" | "pattern";
  make(args: readonly Json[], type: EvidenceType): ValidatorRead;
};

/** Finds the operation of a word of the vocabulary, in any of its spellings. */
export function operationNamed(name: string): Operation | undefined {
  return operations.get(name);
}

/** Every word of the vocabulary, for whoever looks for the one that was meant. */
export function validatorNames(): readonly string[] {
  return [...operations.keys()];
}

/** Every spelling that is followed by something, the longest first: the shorter may be a part of it. */
export function spellings(): readonly string[] {
  return longestFirst;
}

type Bound = "at_least" | "more_than" | "at_most" | "less_than";

const boundWords: Readonly<Record<Bound, readonly string[]>> = {
  at_least: [
    ...["greater_than_or_equal_to", "greater_than_or_equal", "greater_or_equal", "greater_equal", "gte", "ge"],
    ...["at_least", "min", "minimum", "min_value", "min_val", "minimum_value", "not_less_than", "no_less_than"],
  ],
  more_than: ["greater_than", "gt", "more_than", "above", "exceeds", "exclusive_minimum", "exclusive_min"],
  at_most: [
    ...["less_than_or_equal_to", "less_than_or_equal", "less_or_equal", "less_equal", "lte", "le", "up_to"],
    ...["at_most", "max", "maximum", "max_value", "max_val", "maximum_value", "not_more_than", "no_more_than"],
  ],
  less_than: ["less_than", "lt", "fewer_than", "below", "exclusive_maximum", "exclusive_max"],
};

const lengthWords: Readonly<Record<"at_least" | "at_most", readonly string[]>> = {
  at_least: ["length", "len", "items", "size", "entries", "chars", "characters", "elements"].map(
    (unit) => `min_${unit}`,
  ),
  at_most: ["length", "len", "items", "size", "entries", "chars", "characters", "elements"].map(
    (unit) => `max_${unit}`,
  ),
};

/** A bound of a number, or of how many items there are. Of a text only that it is not empty: it may well hold a number. */
function bound(kind: Bound): Operation {
  return {
    takes: "number",
    make([limit], type) {
      if (typeof limit !== "number") return { unusable: "a number is missing" };
      if (type === "list" || type === "object") return lengthBound(kind, limit);
      const isSome = (kind === "more_than" && limit === 0) || (kind === "at_least" && limit === 1);
      if (type === "string" && isSome) return lengthBound("at_least", 1);
      return { rules: [{ kind, limit }] };
    },
  };
}

function lengthBound(kind: Bound, limit: number): ValidatorRead {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  const least = kind === "more_than" ? limit + 1 : limit;
  if (kind === "at_least" || kind === "more_than")
    return least === 0 ? { rules: [], mayBeEmpty: true } : { rules: [{ kind: "length_at_least", limit: least }] };
  const most = kind === "less_than" ? limit - 1 : limit;
  return most < 0 ? { unusable: "no length is less than 0" } : { rules: [{ kind: "length_at_most", limit: most }] };
}

const lengthIs = (kind: Bound): Operation => ({
  takes: "number",
  make: ([limit]) => (typeof limit === "number" ? lengthBound(kind, limit) : { unusable: "a number is missing" }),
});

const exactLength: Operation = {
  takes: "number",
  make([limit]) {
    if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 0)
      return { unusable: "a length is a whole number" };
    const kinds = ["length_at_least", "length_at_most"] as const;
    return { rules: kinds.map((kind) => ({ kind, limit })), ...(limit === 0 ? { mayBeEmpty: true } : {}) };
  },
};

const range = (kinds: (limit: number, end: "from" | "to", type: EvidenceType) => EvidenceRule): Operation => ({
  takes: "numbers",
  make([from, to, ...more], type) {
    if (typeof from !== "number" || typeof to !== "number" || more.length > 0)
      return { unusable: "a range has two numbers" };
    if (from > to) return { unusable: `nothing is between ${from} and ${to}` };
    return { rules: [kinds(from, "from", type), kinds(to, "to", type)] };
  },
});

const lengthRange = range((limit, end) => ({ kind: end === "from" ? "length_at_least" : "length_at_most", limit }));
const numberRange = range((limit, end, type) => {
  const isCounted = type === "list" || type === "object";
  if (end === "from") return { kind: isCounted ? "length_at_least" : "at_least", limit };
  return { kind: isCounted ? "length_at_most" : "at_most", limit };
});

const fixed = (...rules: readonly EvidenceRule[]): Operation => ({ takes: "nothing", make: () => ({ rules }) });

/** Not empty, of what can be; anything else is not empty as soon as it is there. */
const notEmpty: Operation = {
  takes: "nothing",
  make: (_, type) => ({
    rules: ["string", "list", "object"].includes(type) ? [{ kind: "length_at_least", limit: 1 }] : [],
  }),
};

const isTyped = (asked: EvidenceType): Operation => ({
  takes: "nothing",
  make(_, type) {
    if (asked === "boolean" && type === "boolean") return { rules: [{ kind: "one_of", values: [true, false] }] };
    const fits = asked === type || (asked === "number" && type === "integer");
    return fits ? { rules: [] } : { unusable: `it asks for another type than ${type}` };
  },
});

const withValue = (kind: "equals" | "differs_from"): Operation => ({
  takes: "value",
  make([value], type) {
    const meant = value === undefined ? undefined : asValue(value, type);
    return meant === undefined
      ? { unusable: `${JSON.stringify(value ?? null)} is no ${type}` }
      : { rules: [{ kind, value: meant }] };
  },
});

const oneOf: Operation = {
  takes: "values",
  make(args, type) {
    const values = args.flatMap((arg) => asValue(arg, type) ?? []);
    if (args.length === 0 || values.length !== args.length) return { unusable: `not every value is a ${type}` };
    return { rules: [{ kind: "one_of", values }] };
  },
};

const withText = (make: (text: string) => EvidenceRule, takes: "text" | "pattern" = "text"): Operation => ({
  takes,
  make: ([text]) =>
    typeof text === "string" && text !== "" ? { rules: [make(text)] } : { unusable: "a text is missing" },
});

const named = (names: readonly string[], operation: Operation): [string, Operation][] =>
  names.map((name) => [name, operation]);
const prefixed = (prefixes: readonly string[], names: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => names.map((name) => `${prefix}_${name}`));

const kinds: readonly Bound[] = ["at_least", "more_than", "at_most", "less_than"];

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...kinds.flatMap((kind) => named(boundWords[kind], bound(kind))),
  ...kinds.flatMap((kind) =>
    named(prefixed(["percent", "percentage", "pct", "count", "value"], boundWords[kind]), bound(kind)),
  ),
  ...kinds.flatMap((kind) => named(prefixed(["length", "len", "size"], boundWords[kind]), lengthIs(kind))),
  ...named([...lengthWords.at_least, "minlength", "minitems", "minimum_length"], lengthIs("at_least")),
  ...named([...lengthWords.at_most, "maxlength", "maxitems", "maximum_length"], lengthIs("at_most")),
  ...named(["min_count"], bound("at_least")),
  ...named(["max_count"], bound("at_most")),
  ...named(["length", "exact_length", "length_equals", "len_equals", "length_is"], exactLength),
  ...named(["between", "range", "in_range", "value_between", "percent_between"], numberRange),
  ...named(["length_between", "length_range", "len_between"], lengthRange),
  ...named(["positive", "is_positive"], { takes: "nothing", make: (_, type) => bound("more_than").make([0], type) }),
  ...named(["non_negative", "nonnegative", "is_non_negative", "not_negative"], fixed({ kind: "at_least", limit: 0 })),
  ...named(["negative", "is_negative"], fixed({ kind: "less_than", limit: 0 })),
  ...named(["non_zero", "nonzero", "not_zero", "is_non_zero"], fixed({ kind: "differs_from", value: 0 })),
  ...named(["is_zero", "zero"], fixed({ kind: "equals", value: 0 })),
  ...named(["is_true", "true", "must_be_true"], fixed({ kind: "equals", value: true })),
  ...named(["is_false", "false", "must_be_false"], fixed({ kind: "equals", value: false })),
  ...named(
    ["exists", "present", "is_present", "required", "not_null", "not_none", "is_not_none", "is_not_null"],
    fixed(),
  ),
  ...named(["non_empty", "nonempty", "not_empty", "is_not_empty", "is_non_empty", "not_blank", "non_blank"], notEmpty),
  ...named(["may_be_empty", "can_be_empty", "allow_empty"], {
    takes: "nothing",
    make: () => ({ rules: [], mayBeEmpty: true }),
  }),
  ...[
    "boolean",
    "bool",
    "integer",
    "int",
    "number",
    "float",
    "string",
    "str",
    "list",
    "array",
    "object",
    "dict",
  ].flatMap((word) => named([`is_${word}`], isTyped(evidenceTypeOf(word) ?? "string"))),
  ...named(["equals", "equal", "equal_to", "equals_to", "eq", "is_equal_to", "const", "exactly"], withValue("equals")),
  ...named(
    ["not_equals", "not_equal", "not_equal_to", "neq", "ne", "differs_from", "other_than"],
    withValue("differs_from"),
  ),
  ...named(
    ["one_of", "is_one_of", "any_of", "in", "enum", "choices", "choice", "allowed", "allowed_values", "values"],
    oneOf,
  ),
  ...named(
    ["contains", "includes", "must_contain", "includes_text"],
    withText((text) => ({ kind: "contains", text })),
  ),
  ...named(
    ["starts_with", "startswith"],
    withText((text) => ({ kind: "matches", pattern: `^${escaped(text)}`, flags: "" })),
  ),
  ...named(
    ["ends_with", "endswith"],
    withText((text) => ({ kind: "matches", pattern: `${escaped(text)}$`, flags: "" })),
  ),
  ...named(
    ["matches", "match", "pattern", "regex", "matches_pattern", "matches_regex"],
    withText((pattern) => ({ kind: "matches", pattern, flags: "" }), "pattern"),
  ),
  ...named(["file_exists", "files_exist", "is_file", "path_exists", "all_files_exist"], fixed({ kind: "file_exists" })),
  ...named(
    ["directory_exists", "dir_exists", "folder_exists", "is_directory", "is_dir", "directories_exist"],
    fixed({ kind: "directory_exists" }),
  ),
]);

const longestFirst: readonly string[] = [...operations]
  .filter(([, { takes }]) => takes !== "nothing")
  .map(([name]) => name)
  .sort((a, b) => b.length - a.length);

/** A value as the field's type has it: a word in a name, or what YAML takes for a number. */
function asValue(value: Json, type: EvidenceType): Json | undefined {
  if (type === "string")
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  if (typeof value !== "string") return value;
  if (type === "boolean") return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : undefined;
  return type === "integer" || type === "number" ? numberIn(value) : undefined;
}
