import type { Json, JsonObject } from "../kit/json.ts";
import { oneLine } from "../kit/one-line.ts";

/**
 * Formats a named value for a person: a list one item a line, an object one key a line, a text as it is written. `mark` begins
 * each line of a longer text, where such a line could be taken for one of ours.
 */
export function readableLines(name: string, value: Json, mark = ""): readonly string[] {
  return namedLines(name, value, mark, 0);
}

/** Values nested deeper are shown as JSON. */
const deepest = 4;
const longestName = 80;

function namedLines(name: string, value: Json, mark: string, depth: number): readonly string[] {
  const title = oneLine(name, longestName);
  const lines = linesOf(value, mark, depth);
  const [first = "", ...rest] = lines;
  return isNested(value) ? [`${title}:`, ...indented(lines)] : [`${title}: ${first}`, ...indented(rest)];
}

function linesOf(value: Json, mark: string, depth: number): readonly string[] {
  if (typeof value === "string") {
    const [first = "", ...rest] = value.trimEnd().split("\n");
    return [first, ...rest.map((line) => `${mark}${line}`)];
  }
  if (!isNested(value) || depth === deepest) return [JSON.stringify(value)];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => namedLines(name, inner, mark, depth + 1));
  return value.flatMap((item) => {
    const [first = "", ...rest] = linesOf(item, mark, depth + 1);
    return [`- ${first}`, ...indented(rest)];
  });
}

/** Tells if a value has parts of its own; an empty list or object has none. */
function isNested(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? line : `  ${line}`));
}
