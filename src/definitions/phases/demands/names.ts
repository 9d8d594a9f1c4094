/** Tells whether a text can be the name of a piece of evidence: one word of letters, digits and underscores, of any language. */
export function isName(text: string): boolean {
  return /^\p{L}[\p{L}\p{M}\p{N}]*(?:[_-]+[\p{L}\p{M}\p{N}]+)*$/u.test(text) && text.length <= 100;
}

/** Tells whether a name is one that nobody writes in a sentence: with an underscore in it. */
export function isSnake(text: string): boolean {
  return isName(text) && text.includes("_");
}

/** A text as a name: lower case, what is neither letter nor digit as one underscore. */
export function asSnake(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’`]/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/** A name in backticks, which may be dressed as data or code: `items[]`, `count: 5`, `foo()`, `report.path`. */
export type CodeName = {
  readonly field: string;
  /** What the dress says of the type, in words. */
  readonly hint: string;
};

/** Reads what stands in backticks as a name; undefined where it is a value, a type, a file or a command. */
export function codeName(text: string): CodeName | undefined {
  const [, field = "", dress = ""] =
    /^["']?(\p{L}[\p{L}\p{M}\p{N}_-]*(?:\.\p{L}[\p{L}\p{M}\p{N}_]*)*)["']?(\[\]|\(\)|\s*[:=]\s*.*)?$/su.exec(text) ??
    [];
  const isDotted = field.includes(".");
  if (isDotted ? fileEnding.test(field) || !field.split(".").every(isName) : !isName(field)) return undefined;
  return isWord(field) ? undefined : { field, hint: hintIn(dress.trim()) };
}

function hintIn(dress: string): string {
  if (dress === "[]") return "list";
  const value = dress.replace(/^[:=]\s*/, "");
  if (value === dress) return "";
  if (/^-?\d+$/.test(value)) return "integer";
  if (/^-?\d+\.\d+$/.test(value)) return "float";
  if (/^(?:true|false)$/i.test(value)) return "boolean";
  if (/^\[.*\]$/s.test(value)) return "list";
  if (/^\{.*\}$/s.test(value)) return "object";
  return /^["'“]/.test(value) ? "string" : value;
}

const fileEnding =
  /\.(?:md|markdown|jsonl?|ya?ml|toml|ini|cfg|conf|env|lock|txt|log|csv|tsv|xml|html?|css|scss|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|sql|proto|pdf|png|jpe?g|svg|gif|zip|gz|exe)$/i;

/** Words that stand in backticks as values and types, not as names. */
function isWord(text: string): boolean {
  return (
    /^(?:true|false|null|none|yes|no|integer|int|boolean|bool|string|str|list|array|object|number|float|optional|required|high|low|medium)$/i.test(
      text,
    ) ||
    /^(?:is|greater|less|equals?|percent|min|max|non|file|directory)_(?:than_|or_|equal_|to_|gte_|lte_|gt_|lt_|length_)*(?:true|false|\d[\d_]*|exists|empty)$/i.test(
      text,
    )
  );
}
