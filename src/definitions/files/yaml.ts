import type { CST, Document, LineCounter } from "yaml";
import { isObject, type JsonObject } from "../../kit/json.ts";
import { yaml } from "../../kit/libraries.ts";

/** A YAML text as plain data with the line of every key and item, or its first error. */
export type YamlRead =
  | { readonly value: unknown; lineOf(path: readonly string[]): number }
  | { readonly error: string; readonly line: number };

/** Parses one YAML document as plain data: no tags, no merging, unique string keys, few aliases. Never throws. */
export function parseYaml(text: string): YamlRead {
  const { Composer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  try {
    const tokens = [...new Parser(lines.addNewLine).parse(text)];
    // The composer recurses and compares every key with every other, so huge input could crash the process.
    const excess = excessOf(tokens);
    if (excess !== undefined) return { error: excess, line: 1 };
    const [document, second] = [...new Composer(plainData).compose(tokens, true, text.length)];
    if (document === undefined) return { error: "it is empty", line: 1 };
    if (second !== undefined) return { error: "it has more than one document", line: lineAt(lines, second.range[0]) };
    // The parser only warns about an unknown tag and guesses the value.
    const wrong = document.errors[0] ?? document.warnings[0];
    if (wrong !== undefined) return { error: wrong.message, line: lineAt(lines, wrong.pos[0]) };
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value, lineOf: (path) => lineAt(lines, offsetOf(document, path)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : "it cannot be parsed", line: 1 };
  }
}

/** The mapping that a YAML text is; empty if it is anything else. */
export function yamlMapping(text: string): JsonObject {
  const read = parseYaml(text);
  return "value" in read && isObject(read.value) ? read.value : {};
}

const plainData = {
  version: "1.2",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  prettyErrors: false,
} as const;

const mostLevels = 50;
const mostValues = 5000;

function excessOf(tokens: readonly CST.Token[]): string | undefined {
  let values = 0;
  let level = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > mostLevels) return `it is nested more than ${mostLevels} levels deep`;
    if (values > mostValues) return `it has more than ${mostValues} keys and values`;
    level = level.flatMap(tokensInside);
  }
  return undefined;
}

function tokensInside(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
}

/** The offset of the deepest existing key of a path. */
function offsetOf(document: Document.Parsed, path: readonly string[]): number {
  const { isAlias, isMap, isNode, isScalar, isSeq } = yaml();
  let offset = document.contents?.range[0] ?? 0;
  let at: unknown = document.contents;
  for (const key of path) {
    const node: unknown = isAlias(at) ? at.resolve(document) : at;
    if (isSeq(node)) {
      const item: unknown = node.items[Number(key)];
      if (!isNode(item)) break;
      offset = item.range?.[0] ?? offset;
      at = item;
      continue;
    }
    if (!isMap(node)) break;
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair === undefined) break;
    offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
    at = pair.value;
  }
  return offset;
}

function lineAt(lines: LineCounter, offset: number): number {
  return lines.linePos(offset).line;
}
