import { lengthOf } from "./evidence-type.ts";
import type { EvidenceRule, EvidenceType } from "./gate.ts";
import type { Json } from "./json.ts";
import { hasLength } from "./rule-value.ts";

/** Everything that is known of one kind of rule. A new rule is one entry here, and the compiler names what else must change. */
export type RuleEntry<Rule> = {
  /** What it is called in gate files; the first is what `--write-gates` writes. */
  readonly names: readonly string[];
  /**
   * How it is said in sentences: `a|b` either word, `a?` may be missing, `{n}` a number, `{q}` a text in quotes or
   * backticks, `{v}` that, a number, true, false or a word in CAPITALS, `{w}` that or a Name, `{list}` several of them.
   */
  readonly words: readonly string[];
  /** What stands beside its name. */
  readonly takes: Takes;
  /** The rule, from what stands beside its name; why not, where it cannot be asked of the type. */
  make(given: readonly Json[], type: EvidenceType): Made;
  /** What stands beside its name in a gate file. */
  given(rule: Rule): Json;
  /** Whether it can be asked of a type at all. */
  fits(rule: Rule, type: EvidenceType): boolean;
  /** Whether a value keeps it; why nobody can tell; "outside" where only a look from outside can. */
  judge(rule: Rule, value: Json): Judgement;
  /** In words that follow "must be". */
  say(rule: Rule): string;
};

export type Takes = "nothing" | "number" | "numbers" | "value" | "values" | "text" | "pattern";

/** A value keeps a rule or not; only a look from outside can tell; or nobody can. */
export type Judgement = boolean | "outside" | { readonly untold: string };

/** Rules that were made; or why they cannot be. */
export type Made = readonly EvidenceRule[] | { readonly unusable: string };

/** The four bounds of a number. */
export type Bound = "at_least" | "more_than" | "at_most" | "less_than";

/** A bound of a number; of a list, how long it is. */
export function bound(
  kind: Bound,
  words: string,
  names: readonly string[],
  said: readonly string[],
  keeps: (value: number, limit: number) => boolean,
): RuleEntry<{ readonly limit: number }> {
  const shares = "percent percentage pct count value".split(" ");
  return {
    names: [...names, ...shares.flatMap((share) => names.map((name) => `${share}_${name}`))],
    words: said,
    takes: "number",
    make([limit], type) {
      if (typeof limit !== "number") return { unusable: "a number is missing" };
      if (type === "list" || type === "object") return lengthRule(kind, limit);
      const isSome = (kind === "more_than" && limit === 0) || (kind === "at_least" && limit === 1);
      return type === "string" && isSome ? lengthRule("at_least", 1) : [{ kind, limit }];
    },
    given: ({ limit }) => limit,
    fits: (_, type) => type === "integer" || type === "number",
    judge: ({ limit }, value) => (typeof value === "number" ? keeps(value, limit) : { untold: "is no number" }),
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
    words: [`${short}|${short}imum length|items|size|entries of? {n}`],
    takes: "number",
    make: ([limit]) => (typeof limit === "number" ? lengthRule(kind, limit) : { unusable: "a number is missing" }),
    given: ({ limit }) => limit,
    fits: (_, type) => hasLength(type),
    judge({ limit }, value) {
      const found = lengthOf(value);
      if (found === undefined) return { untold: "has no length" };
      return kind === "at_least" ? found >= limit : found <= limit;
    },
    say: ({ limit }) =>
      kind === "at_least" && limit === 1
        ? "not empty"
        : `${kind === "at_least" ? "at least" : "at most"} ${limit} long`,
  };
}

/** The same bound of how long a value is. */
export function lengthRule(kind: Bound, limit: number): Made {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  if (kind === "at_least" || kind === "more_than")
    return [{ kind: "length_at_least", limit: kind === "more_than" ? limit + 1 : limit }];
  if (kind === "less_than" && limit === 0) return { unusable: "no length is less than 0" };
  return [{ kind: "length_at_most", limit: kind === "less_than" ? limit - 1 : limit }];
}

/** A path that must lead to something. */
export function path(
  kind: "file_exists" | "directory_exists",
  thing: string,
  nouns: string,
  others: string,
): RuleEntry<unknown> {
  return {
    names: [kind, ...others.split(" ")],
    words: [
      `existing ${nouns}`,
      `${nouns} that|which? must? exist|exists`,
      ...(kind === "file_exists" ? ["must exist"] : []),
    ],
    takes: "nothing",
    make: () => [{ kind }],
    given: () => true,
    fits: (_, type) => type === "string" || type === "list",
    judge: () => "outside",
    say: () => `the path of a ${thing} that exists`,
  };
}
