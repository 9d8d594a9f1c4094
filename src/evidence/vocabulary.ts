import { lengthOf } from "./evidence-type.ts";
import type { EvidenceRule, EvidenceType, RuleKind, RuleOf } from "./gate.ts";
import { isSame, type Json } from "./json.ts";

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
  make(given: readonly Json[], type: EvidenceType): readonly EvidenceRule[] | { readonly unusable: string };
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

type Kinds = { readonly [Kind in RuleKind]: RuleEntry<RuleOf<Kind>> };

export type Bound = "at_least" | "more_than" | "at_most" | "less_than";

/** The vocabulary of rules. */
export const vocabulary: Kinds = {
  at_least: bound(
    "at_least",
    "at least",
    [
      "min",
      ..."gte ge greater_than_or_equal_to greater_than_or_equal greater_or_equal greater_equal".split(" "),
    ].concat("at_least minimum min_value min_val minimum_value not_less_than no_less_than min_count".split(" ")),
    [
      "at least {n}",
      "no|not be? fewer|less|lower|smaller than {n}",
      "not|never be? below|under {n}",
      "{n} or more|greater|higher|above|up",
      "{n} +",
      "minimum|min of? {n}",
      ">= {n}",
      "≥ {n}",
      "greater|larger|more|higher than or equal to {n}",
    ],
    (value, limit) => value >= limit,
  ),
  more_than: bound(
    "more_than",
    "more than",
    "greater_than gt more_than above exceeds exclusive_minimum exclusive_min".split(" "),
    ["more|greater|larger|higher|bigger than {n}", "above|over|exceeding|exceeds {n}", "> {n}"],
    (value, limit) => value > limit,
  ),
  at_most: bound(
    "at_most",
    "at most",
    [
      "max",
      ..."lte le less_than_or_equal_to less_than_or_equal less_or_equal less_equal up_to at_most".split(" "),
    ].concat("maximum max_value max_val maximum_value not_more_than no_more_than max_count".split(" ")),
    [
      "at most {n}",
      "no|not be? more|greater|larger|higher|bigger than {n}",
      "not|never exceed|exceeding {n}",
      "not|never be? above|over {n}",
      "up to {n}",
      "{n} or less|fewer|lower|below",
      "maximum|max of? {n}",
      "<= {n}",
      "≤ {n}",
      "less|fewer|lower than or equal to {n}",
    ],
    (value, limit) => value <= limit,
  ),
  less_than: bound(
    "less_than",
    "less than",
    "less_than lt fewer_than below exclusive_maximum exclusive_max".split(" "),
    ["less|fewer|lower|smaller than {n}", "below|under {n}", "< {n}"],
    (value, limit) => value < limit,
  ),
  length_at_least: length("at_least", "min"),
  length_at_most: length("at_most", "max"),
  equals: {
    names: "equals equal equal_to equals_to eq is_equal_to const exactly".split(" "),
    words: [
      "must|shall be exactly|precisely? {v}",
      "has|needs|have|need to be exactly|precisely? {v}",
      "exactly|precisely {v}",
      "equal|equals to? {v}",
      "== {v}",
      "= {v}",
      "{v} expected|only",
    ],
    takes: "value",
    make: ([value], type) => withValue("equals", value, type),
    given: ({ value }) => value,
    fits: ({ value }, type) => isValueOf(value, type),
    judge: ({ value: wanted }, value) => isSame(wanted, value),
    say: ({ value }) => (typeof value === "boolean" ? String(value) : `exactly ${show(value)}`),
  },
  differs_from: {
    names: "not_equals not_equal not_equal_to neq ne differs_from other_than".split(" "),
    words: [
      "other than {v}",
      "must? not|never be? {v}",
      "cannot be {v}",
      "not equal to {v}",
      "different from {v}",
      "!= {v}",
      "≠ {v}",
      "anything|everything but {v}",
    ],
    takes: "value",
    make: ([value], type) => withValue("differs_from", value, type),
    given: ({ value }) => value,
    fits: ({ value }, type) => isValueOf(value, type),
    judge: ({ value: wanted }, value) => !isSame(wanted, value),
    say: ({ value }) => `other than ${show(value)}`,
  },
  one_of: {
    names: "one_of is_one_of any_of in enum choices choice allowed allowed_values values".split(" "),
    words: ["one|any of {list}", "either {list}", "allowed|possible|valid values {list}", "choices {list}"],
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
    words: ["contain|contains|containing {w}", "include|includes|including {q}"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "contains", text })),
    given: ({ text }) => text,
    fits: (_, type) => type === "string" || type === "list",
    judge: ({ text }, value) => holdsText(text, value),
    say: ({ text }) => `something that contains ${show(text)}`,
  },
  lacks: {
    names: "not_contains lacks does_not_contain must_not_contain excludes".split(" "),
    words: ["not contain|include|mention {w}", "without {q}", "free of {q}"],
    takes: "text",
    make: ([text]) => withText(text, (text) => ({ kind: "lacks", text })),
    given: ({ text }) => text,
    fits: (_, type) => type === "string" || type === "list",
    judge({ text }, value) {
      const holds = holdsText(text, value);
      return typeof holds === "boolean" ? !holds : holds;
    },
    say: ({ text }) => `something without ${show(text)}`,
  },
  matches: {
    names: "pattern matches match regex matches_pattern matches_regex".split(" "),
    words: ["match|matches|matching {q}"],
    takes: "pattern",
    make: ([text]) => withText(text, (pattern) => ({ kind: "matches", pattern, flags: "" })),
    given: ({ pattern }) => pattern,
    fits: (_, type) => type === "string",
    judge: () => "outside",
    say: ({ pattern, flags }) => `a match of /${pattern}/${flags}`,
  },
  file_exists: path("file_exists", "file", "file|path", "files_exist is_file path_exists all_files_exist"),
  directory_exists: path(
    "directory_exists",
    "folder",
    "directory|folder",
    "dir_exists folder_exists is_directory is_dir directories_exist",
  ),
};

/** A form of words that stands for rules of the table: names and words as above, and what they mean together. */
export type Idiom = Pick<RuleEntry<unknown>, "names" | "words" | "takes" | "make"> & {
  /** The author says that nothing will do, too. */
  readonly mayBeEmpty?: true;
};

/** What is said in one word and meant as another, or as two. */
export const idioms: readonly Idiom[] = [
  {
    names: "between range in_range value_between percent_between".split(" "),
    words: ["between {n} and {n}", "from? {n} to|- {n}", "from? {n} – {n}"],
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
  said("positive is_positive", ["positive"], (type) => vocabulary.more_than.make([0], type)),
  said("non_negative nonnegative is_non_negative not_negative", ["non-negative", "not be? negative"], (type) =>
    vocabulary.at_least.make([0], type),
  ),
  said("negative is_negative", [], (type) => vocabulary.less_than.make([0], type)),
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

/** Whether a value keeps a rule. */
export function judge<Kind extends RuleKind>(rule: RuleOf<Kind>, value: Json): Judgement {
  return vocabulary[rule.kind].judge(rule, value);
}

/** Says a rule in words that follow "must be": the same words for authors, formats and refusals. */
export function describeRule<Kind extends RuleKind>(rule: RuleOf<Kind>): string {
  return vocabulary[rule.kind].say(rule);
}

/** Whether a rule can be asked of a type. */
export function fits<Kind extends RuleKind>(rule: RuleOf<Kind>, type: EvidenceType): boolean {
  return vocabulary[rule.kind].fits(rule, type);
}

/** A rule as a gate file writes it: its name, and what stands beside it. */
export function written<Kind extends RuleKind>(rule: RuleOf<Kind>): { readonly name: string; readonly given: Json } {
  const { names, given } = vocabulary[rule.kind];
  return { name: names[0] ?? rule.kind, given: given(rule) };
}

/** A plain word as it is; anything that could be taken for something else as JSON. */
export function show(value: Json): string {
  const isWord = typeof value === "string" && /^\p{L}[\p{L}\p{N}_-]*$/u.test(value);
  return isWord && !["true", "false", "null"].includes(value.toLowerCase()) ? value : JSON.stringify(value);
}

function bound(
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

function length(kind: "at_least" | "at_most", short: "min" | "max"): RuleEntry<{ readonly limit: number }> {
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
export function lengthRule(kind: Bound, limit: number): readonly EvidenceRule[] | { readonly unusable: string } {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  if (kind === "at_least" || kind === "more_than")
    return [{ kind: "length_at_least", limit: kind === "more_than" ? limit + 1 : limit }];
  if (kind === "less_than" && limit === 0) return { unusable: "no length is less than 0" };
  return [{ kind: "length_at_most", limit: kind === "less_than" ? limit - 1 : limit }];
}

function path(
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

function said(names: string, words: readonly string[], make: (type: EvidenceType) => ReturnType<Idiom["make"]>): Idiom {
  return { names: names.split(" "), words, takes: "nothing", make: (_, type) => make(type) };
}

function together(...made: readonly ReturnType<Idiom["make"]>[]): ReturnType<Idiom["make"]> {
  const rules: EvidenceRule[] = [];
  for (const one of made) {
    if ("unusable" in one) return one;
    rules.push(...one);
  }
  return rules;
}

function withText(text: Json | undefined, make: (text: string) => EvidenceRule): ReturnType<Idiom["make"]> {
  return typeof text === "string" && text !== "" ? [make(text)] : { unusable: "a text is missing" };
}

function withValue(
  kind: "equals" | "differs_from",
  written: Json | undefined,
  type: EvidenceType,
): ReturnType<Idiom["make"]> {
  const value = written === undefined ? undefined : asValue(written, type);
  return value === undefined ? { unusable: `${JSON.stringify(written ?? null)} is no ${type}` } : [{ kind, value }];
}

/** A value as the type has it: a word in a name may stand for a number or a yes. */
function asValue(value: Json, type: EvidenceType): Json | undefined {
  if (type === "string")
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  if (typeof value !== "string") return isValueOf(value, type) ? value : undefined;
  if (type === "boolean")
    return value.toLowerCase() === "true" ? true : value.toLowerCase() === "false" ? false : undefined;
  const isNumber = (type === "integer" || type === "number") && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : undefined;
}

function isValueOf(value: Json, type: EvidenceType): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "list") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function holdsText(text: string, value: Json): boolean | { readonly untold: string } {
  if (typeof value !== "string" && !Array.isArray(value)) return { untold: "is neither text nor list" };
  return value.includes(text);
}

function hasLength(type: EvidenceType): boolean {
  return type === "string" || type === "list" || type === "object";
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
