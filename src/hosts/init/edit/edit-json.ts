import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { formatValue, insertMember, type JsonValue, removeMember } from "./json-members.ts";
import { indentAt, layoutOf } from "./layout.ts";
import { isSameData } from "./same-data.ts";

/** A parsed JSON file with comments, ready for editing. */
export type OpenJson = { readonly text: string; readonly tree: Node; readonly value: JsonObject };
/** A parsed object of unknown content. */
export type JsonObject = { readonly [key: string]: unknown };
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
  if (wrong !== undefined) {
    const why = printParseErrorCode(wrong.error).replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { problem: `line ${text.slice(0, wrong.offset).split("\n").length}: it is not valid JSON (${why})` };
  }
  const value: unknown = tree === undefined ? undefined : getNodeValue(tree);
  return tree !== undefined && isObject(value) ? { text, tree, value } : { problem: "it is not a JSON object" };
}

/** The value at a path. */
export function valueAt({ tree }: OpenJson, path: Path): unknown {
  const node = nodeAt(tree, path);
  return node === undefined ? undefined : getNodeValue(node);
}

/** Sets a value at a path and creates the objects on the way. */
export function setAt(open: OpenJson, path: Path, value: JsonValue): EditStep {
  const { text, tree } = open;
  const known = path.findLastIndex((_, index) => nodeAt(tree, path.slice(0, index + 1)) !== undefined) + 1;
  const node = nodeAt(tree, path.slice(0, known)) ?? tree;
  const key = path[known];
  if (key === undefined) return reopened(replaced(text, node, value), setIn(open.value, path, value));
  if (node.type !== "object" || typeof key !== "string")
    return { problem: `${shown(path.slice(0, known))} is not an object` };
  const nested = path.slice(known + 1).reduceRight<JsonValue>((inner, name) => ({ [String(name)]: inner }), value);
  return reopened(insertMember(text, node, nested, key), setIn(open.value, path, value));
}

/** Appends an item to an existing list. */
export function appendAt(open: OpenJson, path: Path, item: JsonValue): EditStep {
  const node = nodeAt(open.tree, path);
  if (node?.type !== "array") return { problem: `${shown(path)} is not a list` };
  const list: unknown[] = getNodeValue(node);
  return reopened(insertMember(open.text, node, item), setIn(open.value, path, [...list, item]));
}

/** Removes the value at a path, and containers that become empty. */
export function removeAt(open: OpenJson, path: Path, item?: JsonValue): EditStep {
  const found = nodeAt(open.tree, path);
  const isListed = typeof path.at(-1) === "number"; // a list item has no key
  const node =
    item !== undefined
      ? found?.children?.find((child) => isSameData(getNodeValue(child), item))
      : isListed
        ? found
        : found?.parent;
  const container = item === undefined ? node?.parent : found;
  if (node === undefined || container === undefined) return open;
  const rest = removeIn(open.value, path, item);
  const without = reopened(removeMember(open.text, container, node), rest);
  if ("problem" in without) return without;
  const holder = item === undefined ? path.slice(0, -1) : path;
  return holder.length > 0 && nodeAt(without.tree, holder)?.children?.length === 0
    ? removeAt(without, holder)
    : without;
}

/** True for an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nodeAt(tree: Node, path: Path): Node | undefined {
  return findNodeAtLocation(tree, [...path]);
}

function replaced(text: string, node: Node, value: JsonValue): string {
  const { unit, eol } = layoutOf(text);
  const written = formatValue(value, indentAt(text, node.offset), unit, eol);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** Accepts an edit only if the file then has its old content plus our part. */
function reopened(text: string, expected: unknown): EditStep {
  const open = openJson(text);
  if ("problem" in open || !isSameData(open.value, expected)) {
    return { problem: "it cannot be edited safely (does it have a duplicate key?)" };
  }
  return open;
}

function setIn(value: JsonObject, path: Path, wanted: unknown): JsonObject {
  return changedIn(value, path, () => wanted);
}

function removeIn(value: JsonObject, path: Path, item: JsonValue | undefined): JsonObject {
  if (item === undefined) return changedIn(value, path, () => removed);
  return changedIn(value, path, (inner) => {
    const list: readonly unknown[] = Array.isArray(inner) ? inner : [];
    return list.toSpliced(
      list.findIndex((one) => isSameData(one, item)),
      1,
    );
  });
}

/** Marks a removed value. */
const removed = Symbol("nothing");

/** A copy of a value with a change at a path; `nothing` removes it. */
function changedIn(value: JsonObject, path: Path, change: (inner: unknown) => unknown): JsonObject {
  const changed = changedAt(value, path, change);
  return isObject(changed) ? changed : value;
}

function changedAt(value: unknown, [key, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (typeof key === "number") {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const inner = changedAt(list[key], rest, change);
    return inner === removed ? list.toSpliced(key, 1) : list.with(key, inner);
  }
  const { [key]: old, ...others } = isObject(value) ? value : {};
  const inner = changedAt(old, rest, change);
  return inner === removed ? others : { ...(isObject(value) ? value : {}), [key]: inner };
}

function shown(path: Path): string {
  return path.length === 0 ? "the file" : `"${path.join(".")}"`;
}
