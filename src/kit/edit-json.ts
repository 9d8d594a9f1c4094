import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { Json } from "./json.ts";
import { formatValue, insertMember, removeMember } from "./json-members.ts";
import { isSameData } from "./same-data.ts";
import { indentAt, layoutOf } from "./text-layout.ts";

/** A parsed JSON file with comments, ready for editing. */
export type OpenJson = { readonly text: string; readonly tree: Node; readonly value: Json };
/** The keys and list indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** A file after an edit, or why it cannot be edited. */
export type EditStep = OpenJson | { readonly problem: string };

/** Applies the next edit if the previous ones succeeded. */
export function andThen(step: EditStep, next: (open: OpenJson) => EditStep): EditStep {
  return "problem" in step ? step : next(step);
}

/** Parses a JSON file; comments and trailing commas are allowed, as in the hosts. */
export function openJson(written: string): EditStep {
  const text = written.trim() === "" ? "{}\n" : written;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [wrong] = errors;
  if (wrong === undefined && tree !== undefined) return { text, tree, value: getNodeValue(tree) };
  const why = wrong && printParseErrorCode(wrong.error).replaceAll(/(?<=[a-z])[A-Z]/g, (at) => ` ${at.toLowerCase()}`);
  return { problem: `line ${text.slice(0, wrong?.offset).split("\n").length}: it is not valid JSON (${why})` };
}

/** The value at a path. */
export function valueAt({ tree }: OpenJson, path: Path): Json | undefined {
  const node = nodeAt(tree, path);
  return node && getNodeValue(node);
}

/** Sets a value at a path and creates the objects on the way. */
export function setAt(open: OpenJson, path: Path, value: Json): EditStep {
  const { text, tree } = open;
  const known = path.findLastIndex((_, index) => nodeAt(tree, path.slice(0, index + 1)) !== undefined) + 1;
  const node = nodeAt(tree, path.slice(0, known)) ?? tree;
  const key = path[known];
  const nested = path.slice(known + 1).reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
  if (key !== undefined && (node.type !== "object" || typeof key !== "string"))
    return { problem: `${shown(path.slice(0, known))} is not an object` };
  const written = key === undefined ? replaced(text, node, value) : insertMember(text, node, nested, String(key));
  return changed(open, written, path, (holder, last) => {
    holder[last] = value;
  });
}

/** Appends an item to an existing list. */
export function appendAt(open: OpenJson, path: Path, item: Json): EditStep {
  const node = nodeAt(open.tree, path);
  if (node?.type !== "array") return { problem: `${shown(path)} is not a list` };
  const at = [...path, node.children?.length ?? 0];
  return changed(open, insertMember(open.text, node, item), at, (list, last) => {
    list[last] = item;
  });
}

/** Removes the value at a path, and containers that become empty; with an item, only that item of the list there. */
export function removeAt(open: OpenJson, path: Path, item?: Json): EditStep {
  if (item !== undefined) {
    const index = nodeAt(open.tree, path)?.children?.findIndex((child) => isSameData(getNodeValue(child), item)) ?? -1;
    return index === -1 ? open : removeAt(open, [...path, index]);
  }
  const found = nodeAt(open.tree, path);
  const isListed = typeof path.at(-1) === "number"; // a list item has no key
  const node = isListed ? found : found?.parent;
  if (node?.parent === undefined) return open;
  const text = removeMember(open.text, node.parent, node);
  const without = changed(open, text, path, (holder, last) => {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  });
  const holder = path.slice(0, -1);
  const isEmpty = (now: OpenJson): boolean => holder.length > 0 && nodeAt(now.tree, holder)?.children?.length === 0;
  return andThen(without, (now) => (isEmpty(now) ? removeAt(now, holder) : now));
}

function nodeAt(tree: Node, path: Path): Node | undefined {
  return findNodeAtLocation(tree, [...path]);
}

function replaced(text: string, node: Node, value: Json): string {
  const { unit, eol } = layoutOf(text);
  const written = formatValue(value, indentAt(text, node.offset), unit, eol);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

type Holder = Record<string | number, unknown>;

/** Accepts an edited text only if its data is the old data with this change. */
function changed(
  open: OpenJson,
  text: string,
  path: Path,
  change: (holder: Holder, key: string | number) => void,
): EditStep {
  const expected: Holder = { root: structuredClone(open.value) };
  const places = ["root", ...path];
  const last = places.pop() ?? "root";
  const holder = places.reduce<unknown>((inner, key) => {
    if (!isHolder(inner)) return undefined;
    inner[key] ??= {};
    return inner[key];
  }, expected);
  if (isHolder(holder)) change(holder, last);
  return andThen(openJson(text), (now) =>
    isSameData(now.value, expected.root)
      ? now
      : { problem: "it cannot be edited safely (does it have a duplicate key?)" },
  );
}

function isHolder(value: unknown): value is Holder {
  return typeof value === "object" && value !== null;
}

function shown(path: Path): string {
  return path.length === 0 ? "the file" : `"${path.join(".")}"`;
}
