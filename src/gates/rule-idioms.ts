import type { EvidenceRule, EvidenceType } from "./gate.ts";
import type { MadeRules } from "./made-rules.ts";
import type { RuleEntry } from "./rule-entry.ts";
import { hasLength, withText } from "./rule-value.ts";
import { ruleVocabulary } from "./rule-vocabulary.ts";

/** A phrase that means rules of the table. */
export type Idiom = Pick<RuleEntry<unknown>, "names" | "takes" | "make"> & {
  /** The author allows empty values. */
  readonly mayBeEmpty?: true;
};

/** Phrases that mean another rule, or two. */
export const idioms: readonly Idiom[] = [
  {
    names: "between range in_range value_between percent_between".split(" "),
    takes: "numbers",
    make: ([from, to, ...more], type) =>
      typeof from !== "number" || typeof to !== "number" || more.length > 0 || from > to
        ? { unusable: "a range has two numbers, the smaller first" }
        : combineRules(ruleVocabulary.at_least.make([from], type), ruleVocabulary.at_most.make([to], type)),
  },
  {
    names: "length_between length_range len_between".split(" "),
    takes: "numbers",
    make: ([from, to, ...more], type) =>
      more.length > 0 || to === undefined
        ? { unusable: "a range has two numbers" }
        : combineRules(
            ruleVocabulary.length_at_least.make([from ?? null], type),
            ruleVocabulary.length_at_most.make([to], type),
          ),
  },
  {
    names: "length exact_length length_equals len_equals length_is".split(" "),
    takes: "number",
    make: ([limit = null], type) =>
      combineRules(
        ruleVocabulary.length_at_least.make([limit], type),
        ruleVocabulary.length_at_most.make([limit], type),
      ),
  },
  idiom("positive is_positive", (type) => ruleVocabulary.more_than.make([0], type)),
  idiom("non_negative nonnegative is_non_negative not_negative", (type) => ruleVocabulary.at_least.make([0], type)),
  idiom("negative is_negative", (type) => ruleVocabulary.less_than.make([0], type)),
  idiom("non_zero nonzero not_zero is_non_zero", () => [{ kind: "differs_from", value: 0 }]),
  idiom("is_zero zero", () => [{ kind: "equals", value: 0 }]),
  idiom("is_true true must_be_true", () => [{ kind: "equals", value: true }]),
  idiom("is_false false must_be_false", () => [{ kind: "equals", value: false }]),
  idiom("may_be_false", (type) =>
    type === "boolean"
      ? [{ kind: "one_of", values: [true, false] }]
      : { unusable: `a ${type} is neither true nor false` },
  ),
  idiom("exists present is_present required not_null not_none is_not_none is_not_null", () => []),
  idiom("non_empty nonempty not_empty is_not_empty is_non_empty not_blank non_blank", (type) =>
    hasLength(type) ? [{ kind: "length_at_least", limit: 1 }] : [],
  ),
  { ...idiom("may_be_empty can_be_empty allow_empty", () => []), mayBeEmpty: true },
  {
    names: ["starts_with", "startswith"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "matches", pattern: `^${escaped(text)}`, flags: "" })),
  },
  {
    names: ["ends_with", "endswith"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "matches", pattern: `${escaped(text)}$`, flags: "" })),
  },
];

function idiom(names: string, make: (type: EvidenceType) => MadeRules): Idiom {
  return {
    names: names.split(" ").filter((name) => name !== ""),
    takes: "nothing",
    make: (_, type) => make(type),
  };
}

function combineRules(...made: readonly MadeRules[]): MadeRules {
  const rules: EvidenceRule[] = [];
  for (const one of made) {
    if ("unusable" in one) return one;
    rules.push(...one);
  }
  return rules;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
