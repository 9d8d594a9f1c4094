import { createScanner, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { defined } from "../../kit/defined.ts";
import { readTextFile } from "../snapshot/read-text-file.ts";

/** A path through a JSON document. */
export type JsonPath = readonly (string | number)[];

/** A JSON text with the locations of its parts; no tree if it is invalid or nested too deeply. */
export type JsonLocations = {
  readonly text: string;
  readonly tree?: Node;
  /** Keys that repeat an earlier key of the same object. */
  readonly duplicates: readonly { readonly key: string; readonly line: number }[];
  readonly isTooDeep: boolean;
};

/** The deepest nesting that Waymark reads in a definition. */
export const maxNesting = 60;

/** The line of the deepest existing part of a path in a JSON file; 1 if the file cannot be read. */
export function lineOfPath(definitions: DefinitionSnapshot, path: string, at: JsonPath): number {
  const { text = "", tree } = locationsIn(definitions, path) ?? {};
  for (let length = at.length; tree !== undefined && length > 0; length--) {
    const node = findNodeAtLocation(tree, at.slice(0, length));
    if (node !== undefined) return lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
  }
  return 1;
}

/** The locations of a JSON file's parts; undefined if it is missing or unreadable. */
export function locationsIn(definitions: DefinitionSnapshot, path: string): JsonLocations | undefined {
  return definitions.derived(`locations ${path}`, () => {
    const read = readTextFile(definitions, path);
    return "value" in read ? locate(read.value) : undefined;
  });
}

/** The line, counted from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The nesting depth of a JSON text, computed without recursion. */
export function nestingDepth(text: string): number {
  const scanner = createScanner(text, true);
  let [level, deepest] = [0, 0];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const sign = scanner.getTokenLength() > 1 ? "" : text.charAt(scanner.getTokenOffset());
    if (sign === "{" || sign === "[") level += 1;
    if (sign === "}" || sign === "]") level -= 1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

function locate(text: string): JsonLocations {
  if (nestingDepth(text) > maxNesting) return { text, duplicates: [], isTooDeep: true };
  const tree = parseTree(text);
  const duplicates = duplicatesIn(tree).map(({ key, offset }) => ({ key, line: lineAt(text, offset) }));
  return { text, ...defined({ tree }), duplicates, isTooDeep: false };
}

function duplicatesIn(node: Node | undefined): { readonly key: string; readonly offset: number }[] {
  const children = node?.children ?? [];
  const keys = children.map(({ children: [key] = [] }) => String(key?.value));
  const own = node?.type === "object" ? children.filter((_, index) => keys.indexOf(`${keys[index]}`) < index) : [];
  return [
    ...own.map((property) => ({ key: String(property.children?.[0]?.value), offset: property.offset })),
    ...children.flatMap(duplicatesIn),
  ];
}
