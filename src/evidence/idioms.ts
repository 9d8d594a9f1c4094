import type { EvidenceRule, EvidenceType } from "./gate.ts";
import type { Made, RuleEntry } from "./rule-entry.ts";
import { hasLength, withText } from "./rule-value.ts";
import { vocabulary } from "./vocabulary.ts";

/** A form of words that stands for rules of the table: names and words as above, and what they mean together. */
export type Idiom = Pick<RuleEntry<unknown>, "names" | "words" | "takes" | "make"> & {
  /** The author says that nothing will do, too. */
  readonly mayBeEmpty?: true;
  /** The author says whether it must be there. */
  readonly required?: boolean;
};

/** What is said in one word and meant as another, or as two. */
export const idioms: readonly Idiom[] = [
  {
    names: "between range in_range value_between percent_between".split(" "),
    words: ["between {n} and {n}", "from? {n} to|-|– {n}"].flatMap((range) =>
      ["", " inclusive", " (|, both? inclusive|included )?"].map((ends) => `${range}${ends}`),
    ),
    takes: "numbers",
    make: ([from, to, ...more], type) =>
      typeof from !== "number" || typeof to !== "number" || more.length > 0 || from > to
        ? { unusable: "a range has two numbers, the smaller first" }
        : together(vocabulary.at_least.make([from], type), vocabulary.at_most.make([to], type)),
  },
  {
    names: "length_between length_range len_between".split(" "),
    words: [],
    takes: "numbers",
    make: ([from, to, ...more], type) =>
      more.length > 0 || to === undefined
        ? { unusable: "a range has two numbers" }
        : together(vocabulary.length_at_least.make([from ?? null], type), vocabulary.length_at_most.make([to], type)),
  },
  {
    names: "length exact_length length_equals len_equals length_is".split(" "),
    words: [],
    takes: "number",
    make: ([limit = null], type) =>
      together(vocabulary.length_at_least.make([limit], type), vocabulary.length_at_most.make([limit], type)),
  },
  said("positive is_positive", ["strictly? positive"], (type) => vocabulary.more_than.make([0], type)),
  said("non_negative nonnegative is_non_negative not_negative", ["non-negative", "not be? negative"], (type) =>
    vocabulary.at_least.make([0], type),
  ),
  said("negative is_negative", ["strictly? negative"], (type) => vocabulary.less_than.make([0], type)),
  said("non_zero nonzero not_zero is_non_zero", ["non-zero|nonzero"], () => [{ kind: "differs_from", value: 0 }]),
  said("is_zero zero", [], () => [{ kind: "equals", value: 0 }]),
  said("is_true true must_be_true", [], () => [{ kind: "equals", value: true }]),
  said("is_false false must_be_false", [], () => [{ kind: "equals", value: false }]),
  said("may_be_false", ["true or false", "may|can be false"], (type) =>
    type === "boolean"
      ? [{ kind: "one_of", values: [true, false] }]
      : { unusable: `a ${type} is neither true nor false` },
  ),
  said("exists present is_present required not_null not_none is_not_none is_not_null", [], () => []),
  said(
    "non_empty nonempty not_empty is_not_empty is_non_empty not_blank non_blank",
    ["non-empty|nonempty|non-blank", "must? not|never be? empty|blank", "cannot be empty|blank"],
    (type) => (hasLength(type) ? [{ kind: "length_at_least", limit: 1 }] : []),
  ),
  { ...said("may_be_empty can_be_empty allow_empty", ["may|can be empty"], () => []), mayBeEmpty: true },
  {
    ...said("", ["required|mandatory", "not optional", "required : yes|true", "optional : no|false"], () => []),
    required: true,
  },
  {
    ...said("", ["optional", "not required|mandatory", "optional : yes|true", "required : no|false"], () => []),
    required: false,
  },
  said("", ["may|can be zero|negative|0"], () => []),
  {
    names: ["starts_with", "startswith"],
    words: ["start|starts|starting|begin|begins|beginning with {q}"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "matches", pattern: `^${escaped(text)}`, flags: "" })),
  },
  {
    names: ["ends_with", "endswith"],
    words: ["end|ends|ending with|in {q}"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "matches", pattern: `${escaped(text)}$`, flags: "" })),
  },
];

function said(names: string, words: readonly string[], make: (type: EvidenceType) => Made): Idiom {
  return {
    names: names.split(" ").filter((name) => name !== ""),
    words,
    takes: "nothing",
    make: (_, type) => make(type),
  };
}

function together(...made: readonly Made[]): Made {
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
