import { createScanner, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { liveFile } from "./live-file.ts";

/** A way through a JSON document. */
export type JsonPath = readonly (string | number)[];

/** A JSON text and where its parts stand; no tree where it is no JSON, or nested as nobody writes it by hand. */
export type JsonPlaces = {
  readonly text: string;
  readonly tree?: Node;
  /** The keys that stand twice in one object, the later ones. */
  readonly duplicates: readonly { readonly key: string; readonly line: number }[];
  readonly isTooDeep: boolean;
};

/** Nobody writes a definition deeper than this. */
export const deepestNamed = 60;

/** The line of the deepest part of a path that a JSON file really has; 1 where it cannot be read. */
export function lineIn(path: string, at: JsonPath): number {
  const { text = "", tree } = placesIn(path) ?? {};
  for (let length = at.length; tree !== undefined && length > 0; length--) {
    const node = findNodeAtLocation(tree, at.slice(0, length));
    if (node !== undefined) return lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
  }
  return 1;
}

/** Where the parts of a JSON file stand; undefined where it is not there or cannot be read. */
export function placesIn(path: string): JsonPlaces | undefined {
  const read = readPlaces(path);
  return "value" in read ? read.value : undefined;
}

/** The line, from 1, that holds an offset of a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** How deep a JSON text is nested, told without recursion. */
export function levelsOf(text: string): number {
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

const readPlaces = liveFile((text): JsonPlaces => {
  if (levelsOf(text) > deepestNamed) return { text, duplicates: [], isTooDeep: true };
  const tree = parseTree(text);
  const duplicates = duplicatesIn(tree).map(({ key, offset }) => ({ key, line: lineAt(text, offset) }));
  return { text, ...(tree === undefined ? {} : { tree }), duplicates, isTooDeep: false };
});

function duplicatesIn(node: Node | undefined): { readonly key: string; readonly offset: number }[] {
  const children = node?.children ?? [];
  const keys = children.map(({ children: [key] = [] }) => String(key?.value));
  const own = node?.type === "object" ? children.filter((_, index) => keys.indexOf(`${keys[index]}`) < index) : [];
  return [
    ...own.map((property) => ({ key: String(property.children?.[0]?.value), offset: property.offset })),
    ...children.flatMap(duplicatesIn),
  ];
}
