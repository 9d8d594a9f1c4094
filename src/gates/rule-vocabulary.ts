import { isSame, type Json } from "../kit/json.ts";
import type { EvidenceType, RuleKind, RuleOf } from "./gate.ts";
import { bound, length, path, type RuleEntry, type RuleJudgement } from "./rule-entry.ts";
import { asValue, holdsText, isText, isValueOf, show, withText, withValue } from "./rule-value.ts";

type Kinds = { readonly [Kind in RuleKind]: RuleEntry<RuleOf<Kind>> };

/** The vocabulary of rules. */
export const ruleVocabulary: Kinds = {
  at_least: bound(
    "at_least",
    "at least",
    [
      "min",
      ..."gte ge greater_than_or_equal_to greater_than_or_equal greater_or_equal greater_equal".split(" "),
    ].concat("at_least minimum min_value min_val minimum_value not_less_than no_less_than min_count".split(" ")),
    (value, limit) => value >= limit,
  ),
  more_than: bound(
    "more_than",
    "more than",
    "greater_than gt more_than above exceeds exclusive_minimum exclusive_min".split(" "),
    (value, limit) => value > limit,
  ),
  at_most: bound(
    "at_most",
    "at most",
    [
      "max",
      ..."lte le less_than_or_equal_to less_than_or_equal less_or_equal less_equal up_to at_most".split(" "),
    ].concat("maximum max_value max_val maximum_value not_more_than no_more_than max_count".split(" ")),
    (value, limit) => value <= limit,
  ),
  less_than: bound(
    "less_than",
    "less than",
    "less_than lt fewer_than below exclusive_maximum exclusive_max".split(" "),
    (value, limit) => value < limit,
  ),
  length_at_least: length("at_least", "min"),
  length_at_most: length("at_most", "max"),
  equals: {
    names: "equals equal equal_to equals_to eq is_equal_to const exactly".split(" "),
    takes: "value",
    make: ([value], type) => withValue("equals", value, type),
    given: ({ value }) => value,
    fits: ({ value }, type) => isValueOf(value, type),
    judge: ({ value: wanted }, value) => isSame(wanted, value),
    say: ({ value }) => (typeof value === "boolean" ? String(value) : `exactly ${show(value)}`),
  },
  differs_from: {
    names: "not_equals not_equal not_equal_to neq ne differs_from other_than".split(" "),
    takes: "value",
    make: ([value], type) => withValue("differs_from", value, type),
    given: ({ value }) => value,
    fits: ({ value }, type) => isValueOf(value, type),
    judge: ({ value: wanted }, value) => !isSame(wanted, value),
    say: ({ value }) => `other than ${show(value)}`,
  },
  one_of: {
    names: "one_of is_one_of any_of in enum choices choice allowed allowed_values values".split(" "),
    takes: "values",
    make(given, type) {
      const values = given.map((one) => asValue(one, type)).filter((one) => one !== undefined);
      const isWhole = values.length > 0 && values.length === given.length;
      return isWhole ? [{ kind: "one_of", values }] : { unusable: `not every value is a ${type}` };
    },
    given: ({ values }) => [...values],
    fits: ({ values }, type) => values.length > 0 && values.every((value) => isValueOf(value, type)),
    judge: ({ values }, value) => values.some((one) => isSame(one, value)),
    say: ({ values }) => `one of: ${values.map(show).join(", ")}`,
  },
  contains: {
    names: "contains includes must_contain includes_text".split(" "),
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "contains", text })),
    given: ({ text }) => text,
    fits: (_, type) => isText(type) || type === "list",
    judge: ({ text }, value) => holdsText(text, value),
    say: ({ text }) => `something that contains ${show(text)}`,
  },
  lacks: {
    names: "not_contains lacks does_not_contain must_not_contain excludes".split(" "),
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "lacks", text })),
    given: ({ text }) => text,
    fits: (_, type) => isText(type) || type === "list",
    judge({ text }, value) {
      const holds = holdsText(text, value);
      return typeof holds === "boolean" ? !holds : holds;
    },
    say: ({ text }) => `something without ${show(text)}`,
  },
  matches: {
    names: "pattern matches match regex matches_pattern matches_regex".split(" "),
    takes: "pattern",
    make: ([text]) => withText(text, (pattern) => ({ kind: "matches", pattern, flags: "" })),
    given: ({ pattern }) => pattern,
    fits: (_, type) => isText(type),
    judge: () => "outside",
    say: ({ pattern, flags }) => `a match of /${pattern}/${flags}`,
  },
  file_exists: path("file_exists", "file", "files_exist is_file path_exists all_files_exist"),
  directory_exists: path(
    "directory_exists",
    "folder",
    "dir_exists folder_exists is_directory is_dir directories_exist",
  ),
};

/** Judges a value by a rule. */
export function judgeValue<Kind extends RuleKind>(rule: RuleOf<Kind>, value: Json): RuleJudgement {
  return ruleVocabulary[rule.kind].judge(rule, value);
}

/** Describes a rule in words that follow "must be", for authors, formats and refusals alike. */
export function describeRule<Kind extends RuleKind>(rule: RuleOf<Kind>): string {
  return ruleVocabulary[rule.kind].say(rule);
}

/** Tells if a rule applies to a type. */
export function ruleFits<Kind extends RuleKind>(rule: RuleOf<Kind>, type: EvidenceType): boolean {
  return ruleVocabulary[rule.kind].fits(rule, type);
}

/** A rule as a gate file writes it: its name and its value. */
export function writtenRule<Kind extends RuleKind>(
  rule: RuleOf<Kind>,
): { readonly name: string; readonly given: Json } {
  const { names, given } = ruleVocabulary[rule.kind];
  return { name: names[0] ?? rule.kind, given: given(rule) };
}
