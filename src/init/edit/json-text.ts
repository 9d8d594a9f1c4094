import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { insertMember, removeMember, rendered, type Written } from "./json-members.ts";
import { indentAt, layoutOf } from "./layout.ts";
import { isSameData } from "./same-data.ts";

/** A JSON file with comments, opened for editing. */
export type OpenJson = { readonly text: string; readonly tree: Node; readonly value: JsonObject };
/** A parsed object, of which nothing is known yet. */
export type JsonObject = { readonly [key: string]: unknown };
/** The keys that lead to a value, and the places in lists. */
export type Path = readonly (string | number)[];

/** A file after an edit, or why it cannot be edited. */
export type Step = OpenJson | { readonly problem: string };

/** The next edit of a file, where those before it could be made. */
export function andThen(step: Step, next: (open: OpenJson) => Step): Step {
  return "problem" in step ? step : next(step);
}

/** Opens the text of a JSON file; comments and trailing commas are allowed, as the hosts allow them. */
export function openJson(written: string): Step {
  const text = written.trim() === "" ? "{}\n" : written;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [wrong] = errors;
  if (wrong !== undefined) {
    const why = printParseErrorCode(wrong.error).replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { problem: `line ${text.slice(0, wrong.offset).split("\n").length}: it is not valid JSON (${why})` };
  }
  const value: unknown = tree === undefined ? undefined : getNodeValue(tree);
  return tree !== undefined && isObject(value) ? { text, tree, value } : { problem: "it does not hold a JSON object" };
}

/** What stands at a path. */
export function valueAt({ tree }: OpenJson, path: Path): unknown {
  const node = nodeAt(tree, path);
  return node === undefined ? undefined : getNodeValue(node);
}

/** Sets a value at a path, making the objects on the way to it. */
export function setAt(open: OpenJson, path: Path, value: Written): Step {
  const { text, tree } = open;
  const known = path.findLastIndex((_, index) => nodeAt(tree, path.slice(0, index + 1)) !== undefined) + 1;
  const node = nodeAt(tree, path.slice(0, known)) ?? tree;
  const key = path[known];
  if (key === undefined) return reopened(replaced(text, node, value), setIn(open.value, path, value));
  if (node.type !== "object" || typeof key !== "string")
    return { problem: `${shown(path.slice(0, known))} is not an object` };
  const nested = path.slice(known + 1).reduceRight<Written>((inner, name) => ({ [String(name)]: inner }), value);
  return reopened(insertMember(text, node, nested, key), setIn(open.value, path, value));
}

/** Adds an item at the end of a list that is there. */
export function appendAt(open: OpenJson, path: Path, item: Written): Step {
  const node = nodeAt(open.tree, path);
  if (node?.type !== "array") return { problem: `${shown(path)} is not a list` };
  const list: unknown[] = getNodeValue(node);
  return reopened(insertMember(open.text, node, item), setIn(open.value, path, [...list, item]));
}

/** Takes out what stands at a path, and what holds nothing without it. */
export function removeAt(open: OpenJson, path: Path, item?: Written): Step {
  const found = nodeAt(open.tree, path);
  const isListed = typeof path.at(-1) === "number"; // in a list there is no key around it
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

/** Tells an object from every other value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nodeAt(tree: Node, path: Path): Node | undefined {
  return findNodeAtLocation(tree, [...path]);
}

function replaced(text: string, node: Node, value: Written): string {
  const { unit, eol } = layoutOf(text);
  const written = rendered(value, indentAt(text, node.offset), unit, eol);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** An edit counts only if the file then says what it said before, and our part. */
function reopened(text: string, expected: unknown): Step {
  const open = openJson(text);
  if ("problem" in open || !isSameData(open.value, expected)) {
    return { problem: "it is laid out in a way that cannot be edited safely (is a key there twice?)" };
  }
  return open;
}

function setIn(value: JsonObject, path: Path, wanted: unknown): JsonObject {
  return changedIn(value, path, () => wanted);
}

function removeIn(value: JsonObject, path: Path, item: Written | undefined): JsonObject {
  if (item === undefined) return changedIn(value, path, () => nothing);
  return changedIn(value, path, (inner) => {
    const list: readonly unknown[] = Array.isArray(inner) ? inner : [];
    return list.toSpliced(
      list.findIndex((one) => isSameData(one, item)),
      1,
    );
  });
}

/** What stands where something was taken out. */
const nothing = Symbol("nothing");

/** A value with something else at a path; what is `nothing` is not there. */
function changedIn(value: JsonObject, path: Path, change: (inner: unknown) => unknown): JsonObject {
  const changed = changedAt(value, path, change);
  return isObject(changed) ? changed : value;
}

function changedAt(value: unknown, [key, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (typeof key === "number") {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const inner = changedAt(list[key], rest, change);
    return inner === nothing ? list.toSpliced(key, 1) : list.with(key, inner);
  }
  const { [key]: old, ...others } = isObject(value) ? value : {};
  const inner = changedAt(old, rest, change);
  return inner === nothing ? others : { ...(isObject(value) ? value : {}), [key]: inner };
}

function shown(path: Path): string {
  return path.length === 0 ? "the file" : `"${path.join(".")}"`;
}
