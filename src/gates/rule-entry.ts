import type { Json } from "../kit/json.ts";
import type { EvidenceType } from "./gate.ts";
import type { MadeRules } from "./made-rules.ts";
import { hasLength, isText } from "./rule-value.ts";
import { lengthOf } from "./value-type.ts";

/** Everything known about one kind of rule; a new rule is one entry, and the compiler names what else must change. */
export type RuleEntry<Rule> = {
  /** Its names in gate files; `--write-gates` writes the first. */
  readonly names: readonly string[];
  /** The kind of value it takes. */
  readonly takes: Takes;
  /** Makes the rule from its value, or returns why it does not apply to the type. */
  make(given: readonly Json[], type: EvidenceType): MadeRules;
  /** Its value in a gate file. */
  given(rule: Rule): Json;
  /** Tells if it applies to a type. */
  fits(rule: Rule, type: EvidenceType): boolean;
  /** Judges a value: kept or not, "outside" if the core cannot tell, or why it cannot be told. */
  judge(rule: Rule, value: Json): RuleJudgement;
  /** In words that follow "must be". */
  say(rule: Rule): string;
};

export type Takes = "nothing" | "number" | "numbers" | "value" | "values" | "text" | "pattern";

/** The judgement of a value by a rule. */
export type RuleJudgement = boolean | "outside" | { readonly undecidable: string };

/** The four bounds of a number. */
export type Bound = "at_least" | "more_than" | "at_most" | "less_than";

/** A bound of a number or of a list's length. */
export function bound(
  kind: Bound,
  words: string,
  names: readonly string[],
  keeps: (value: number, limit: number) => boolean,
): RuleEntry<{ readonly limit: number }> {
  const shares = "percent percentage pct count value".split(" ");
  return {
    names: [...names, ...shares.flatMap((share) => names.map((name) => `${share}_${name}`))],
    takes: "number",
    make([limit], type) {
      if (typeof limit !== "number") return { unusable: "a number is missing" };
      if (type === "list" || type === "object") return lengthRule(kind, limit);
      const isSome = (kind === "more_than" && limit === 0) || (kind === "at_least" && limit === 1);
      return type === "string" && isSome ? lengthRule("at_least", 1) : [{ kind, limit }];
    },
    given: ({ limit }) => limit,
    fits: (_, type) => type === "integer" || type === "number" || type === "any",
    judge: ({ limit }, value) => {
      const measured = typeof value === "number" ? value : Array.isArray(value) ? lengthOf(value) : undefined;
      return measured === undefined ? { undecidable: "is not a number" } : keeps(measured, limit);
    },
    say: ({ limit }) => `${words} ${limit}`,
  };
}

/** A bound of a length. */
export function length(kind: "at_least" | "at_most", short: "min" | "max"): RuleEntry<{ readonly limit: number }> {
  const units = "length len items size entries chars characters elements".split(" ");
  const bounds = kind === "at_least" ? "at_least gte ge min more_than_or_equal" : "at_most lte le max";
  return {
    names: [
      ...units.map((unit) => `${short}_${unit}`),
      `${short}length`,
      `${short}items`,
      `${short}imum_length`,
      ...["length", "len", "size"].flatMap((unit) => bounds.split(" ").map((name) => `${unit}_${name}`)),
    ],
    takes: "number",
    make: ([limit]) => (typeof limit === "number" ? lengthRule(kind, limit) : { unusable: "a number is missing" }),
    given: ({ limit }) => limit,
    fits: (_, type) => hasLength(type),
    judge({ limit }, value) {
      const found = lengthOf(value);
      if (found === undefined) return { undecidable: "has no length" };
      return kind === "at_least" ? found >= limit : found <= limit;
    },
    say: ({ limit }) =>
      kind === "at_least" && limit === 1
        ? "not empty"
        : `${kind === "at_least" ? "at least" : "at most"} ${limit} long`,
  };
}

/** The same bound on a length. */
export function lengthRule(kind: Bound, limit: number): MadeRules {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  if (kind === "at_least" || kind === "more_than")
    return [{ kind: "length_at_least", limit: kind === "more_than" ? limit + 1 : limit }];
  if (kind === "less_than" && limit === 0) return { unusable: "no length is less than 0" };
  return [{ kind: "length_at_most", limit: kind === "less_than" ? limit - 1 : limit }];
}

/** A path that must exist. */
export function path(kind: "file_exists" | "directory_exists", thing: string, others: string): RuleEntry<unknown> {
  return {
    names: [kind, ...others.split(" ")],
    takes: "nothing",
    make: () => [{ kind }],
    given: () => true,
    fits: (_, type) => isText(type) || type === "list",
    judge: () => "outside",
    say: () => `the path of a ${thing} that exists`,
  };
}
