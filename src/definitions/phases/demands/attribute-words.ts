import type { Line } from "../markdown/lines.ts";
import { meaningOf } from "../words/meaning.ts";
import { readType } from "../words/type-words.ts";

/** What a line below a field says of it: words for its rules, nothing that counts, or something that nobody understands. */
export type Attribute = { readonly words: string } | "detail" | "unclear";

/** Reads a line such as `type: list`, `min items: 1`, `required: no`; undefined where it has no such key. */
export function keyedAttribute(line: Line): Attribute | undefined {
  const text = withMarks(line);
  const [, key = "", value = ""] = /^\W*?([\p{L}][\p{L} _-]{0,30}?)\W{0,2}\s*[:=]\s*(.*)$/su.exec(text) ?? [];
  const name = key.toLowerCase().replaceAll(/[_-]/g, " ").trim();
  if (name === "" || /^`?\p{L}+_/u.test(key)) return snakeKeyed(key, value);
  return attributeOf(name, value.trim());
}

/** Reads a line below a field that has no key: "integer", "greater than 0", "may be empty". */
export function bareAttribute(line: Line): Attribute {
  const words = withMarks(line).trim();
  const { certainty, rules, required, mayBeEmpty, unclear } = meaningOf("", words, []);
  if (unclear.length > 0) return "unclear";
  if (readType(words) !== undefined && words.split(/\s+/).length <= 4) return { words: `(${words})` };
  if (rules.length > 0 || !required || mayBeEmpty || certainty === "written") return { words };
  const isKeyed = /^\W*\p{L}[\p{L} _-]{0,25}\W{0,2}\s*:\s*\S+(?:\s\S+)?$/u.test(words);
  return isKeyed || /\bmust\b|\d/i.test(words) ? "unclear" : "detail";
}

/** Tells whether a name is a key of rules, also in backticks: "`type`: list". */
export function isRuleKey(name: string): boolean {
  const key = name.toLowerCase().replaceAll(/[_-]/g, " ").trim();
  return (
    limits.has(key) || /^(?:type|required|optional|validators?|pattern|regex|enum|allowed values|one of)$/.test(key)
  );
}

function snakeKeyed(key: string, value: string): Attribute | undefined {
  const name = key.toLowerCase().replaceAll(/[_-]/g, " ").trim();
  return name === "" || !(sayings.has(name) || limits.has(name)) ? undefined : attributeOf(name, value.trim());
}

function attributeOf(name: string, value: string): Attribute | undefined {
  if (details.has(name)) return "detail";
  const isNo = /^(?:no|false|n|optional|never|not required|❌)\b/i.test(value);
  const isYes = /^(?:yes|true|y|required|always|mandatory|✅)\b/i.test(value);
  if (name === "required" || name === "mandatory")
    return isNo ? { words: "optional" } : isYes ? { words: "" } : "unclear";
  if (name === "optional") return isYes ? { words: "optional" } : isNo ? { words: "" } : "unclear";
  if (/^(?:(?:data|value|field|evidence) )?(?:type|datatype|kind)$/.test(name))
    return readType(value) === undefined ? "unclear" : { words: `(${value.replaceAll("`", "")})` };
  const limit = limits.get(name);
  if (limit !== undefined) return /^\d/.test(value) ? { words: limit.replace("#", () => value) } : "unclear";
  const saying = sayings.get(name);
  if (saying === undefined) return undefined;
  return value === "" ? "unclear" : { words: saying.replace("#", () => value) };
}

const limits = new Map<string, string>([
  ...["min", "minimum", "min value", "minimum value", "at least"].map((key) => [key, "at least #"] as const),
  ...["max", "maximum", "max value", "maximum value", "at most"].map((key) => [key, "at most #"] as const),
  ...sized("min", "at least #"),
  ...sized("minimum", "at least #"),
  ...sized("max", "at most #"),
  ...sized("maximum", "at most #"),
]);

function sized(bound: string, words: string): (readonly [string, string])[] {
  return [
    ...["items", "entries", "elements", "count", "size", "rows"].map(
      (thing) => [`${bound} ${thing}`, `${words} items`] as const,
    ),
    ...["length", "characters", "chars", "len"].map((thing) => [`${bound} ${thing}`, `${bound} length #`] as const),
  ];
}

/** Keys of rules, and how a sentence would say them. */
const sayings = new Map<string, string>([
  ...["allowed values", "allowed", "values", "enum", "options", "choices", "possible values", "one of"].map(
    (key) => [key, "one of #"] as const,
  ),
  ...["pattern", "regex", "matches"].map((key) => [key, "must match pattern #"] as const),
  ...["validator", "validators"].map((key) => [key, "[validator: #]"] as const),
  ...["validation", "validate", "rule", "rules", "constraint", "constraints", "condition", "conditions"].map(
    (key) => [key, "#"] as const,
  ),
  ...["check", "checks", "must", "must be", "criteria", "criterion", "limit", "threshold", "range", "format"].map(
    (key) => [key, key.startsWith("must") ? `${key} #` : "#"] as const,
  ),
  ...["equals", "exactly", "expected", "value"].map((key) => [key, "exactly #"] as const),
  ...["description", "desc", "meaning", "what", "items", "content", "contents"].map((key) => [key, "#"] as const),
  ["length", "length #"],
]);

/** Keys of what is told besides. */
const details = new Set(
  "example,examples,sample,note,notes,why,purpose,source,unit,units,owner,how,where,when,default,details,comment,rationale,reason,see,label,title,name,tip,hint,how to verify,how to collect,verification,command,tool,location,who,deadline,responsible".split(
    ",",
  ),
);

/** A text with its backticks, which tell a value from a word. */
function withMarks({ text, marks }: Line): string {
  const codes = marks.filter(({ kind }) => kind === "code").reverse();
  return codes.reduce(
    (words, { start, end }) => `${words.slice(0, start)}\`${words.slice(start, end)}\`${words.slice(end)}`,
    text,
  );
}
