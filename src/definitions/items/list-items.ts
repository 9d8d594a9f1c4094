import type { ListedItems, ListFiles, ListProblem } from "../../engine/ports/definitions.ts";
import { type Calls, maxItems, maxListBytes } from "../../gates/calls.ts";
import { fieldValue } from "../../gates/value-type.ts";
import { digestOf, isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { ListedItem } from "../../workflow/item-state.ts";
import { freeName } from "../../workflow/items.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { fillText, type LookUpValue } from "../phases/fill-placeholders.ts";

/** The means to read a list: the project's files, and the values of placeholders. */
export type ListMeans = { readonly lists: ListFiles; readonly lookUp: LookUpValue };

/** Lists the items of a step as its source has them now. */
export async function listItems(
  stream: StreamSnapshot,
  { workflow, step }: StepRef,
  calls: Calls,
  { lists, lookUp }: ListMeans,
): Promise<ListedItems> {
  const known = stream.runs.get(workflow)?.steps.get(step)?.items?.list;
  const { each } = calls;
  if (each === undefined) return fromValues([calls.workflow], "", calls, known);
  if ("file" in each) {
    const path = lists.normalizePath(fillText(each.file, lookUp).trim());
    return fromFile(path, calls, lists, known, each.phase);
  }
  if ("in" in each) return fromValues(each.in, "for_each", calls, known);
  if ("input" in each) {
    const given = fieldValue(stream.session?.inputs ?? {}, each.input);
    return fromValues(given, `inputs.${each.input}`, calls, known);
  }
  const { status, submitted = {} } = stream.runs.get(workflow)?.steps.get(each.step) ?? {};
  const { evidence = {}, outputs = {} } = status === "completed" ? submitted : {};
  const value = fieldValue(evidence, each.field) ?? fieldValue(outputs, each.field);
  return fromValues(value, `${each.step}.${each.field}`, calls, known);
}

function fromValues(value: Json, name: string, calls: Calls, known: string | undefined): ListedItems {
  const list = digestOf(value);
  if (list === known) return { unchanged: true };
  if (value === null) return { problem: `${name} is not on record` };
  if (!Array.isArray(value)) return { problem: `${name} is not a list` };
  if (JSON.stringify(value).length > maxListBytes) return { problem: `${name} is larger than 1 MB` };
  const items: ListedItem[] = [];
  const names = new Set<string>();
  for (const [at, one] of value.entries()) {
    const item = itemOf(one, at, calls);
    if (item === undefined) return { problem: `entry ${at + 1} of ${name} is neither a text nor an object` };
    const id = freeName(item.id, names);
    names.add(id);
    items.push({ ...item, id });
  }
  return limited(items, list, name);
}

/** An entry of a list as an item: a text or a number, or an object with an id, a name or a title. */
function itemOf(one: Json, at: number, { after: field }: Calls): ListedItem | undefined {
  if (typeof one === "string" || typeof one === "number") {
    const text = String(one).trim();
    return text === "" ? undefined : { id: shortId(text), title: text, digest: digestOf(text), after: [], values: {} };
  }
  if (!isObject(one)) return undefined;
  const id = textOf(one, ["id", "key", "name", "title"]) ?? String(at + 1);
  const title = textOf(one, ["title", "name", "text", "description"]) ?? id;
  const { [field ?? ""]: waits = [], id: _, ...rest } = one;
  const own = Object.keys(rest).length === 0 ? one : rest;
  return { id: shortId(id), title, digest: digestOf(own), after: idsIn(waits), values: one };
}

function textOf(one: JsonObject, keys: readonly string[]): string | undefined {
  const value = keys
    .map((key) => one[key])
    .find((found) => (typeof found === "string" && found.trim() !== "") || typeof found === "number");
  return value === undefined ? undefined : String(value).trim();
}

/** The ids in a value: a list of them, or one text with commas. */
function idsIn(value: Json): readonly string[] {
  const all = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
  return all.flatMap((one: Json) =>
    (typeof one === "string" && one.trim() !== "") || typeof one === "number" ? [shortId(String(one).trim())] : [],
  );
}

/** An id that can be written in a call: a long text is cut, with a digest. */
function shortId(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return plain.length <= 60 ? plain : `${plain.slice(0, 47)}~${sha256(plain).slice(0, 12)}`;
}

async function fromFile(
  path: string,
  calls: Calls,
  lists: ListFiles,
  known: string | undefined,
  phase?: number,
): Promise<ListedItems> {
  if (path === "" || lists.currentText === undefined) return { problem: "the path of the list is empty" };
  const read = await readFiles(path, lists);
  if ("problem" in read) return read;
  const list = digestOf(read.files.map(({ name, text }) => [name, sha256(text)]));
  if (list === known) return { unchanged: true };
  const { readTaskList, tasksByPhase } = await import("./tasks-by-phase.ts"); // loads with the first list
  const [page] = read.files;
  const found =
    phase === undefined || page === undefined
      ? readTaskList(read.files)
      : (tasksByPhase(page.text).get(phase) ?? { problem: `has no task in phase ${phase}` });
  if ("problem" in found) return { problem: `${path} ${found.problem}` };
  const items = found.tasks.map(({ id, title, text, digestText, dependsOn, isTicked, values }): ListedItem => {
    const fields: JsonObject = { ...values, text, depends_on: dependsOn };
    const after = calls.after === undefined ? dependsOn : idsIn(fields[calls.after] ?? []);
    const ticked = isTicked ? { ticked: true as const } : {};
    return { id, title, digest: digestOf(digestText), after, values: fields, ...ticked };
  });
  const unread = found.unread.slice(0, 3).map(({ line, text }) => `${path}:${line} ${JSON.stringify(text)}`);
  const listed = limited(items, list, path);
  return "items" in listed && unread.length > 0 ? { ...listed, unread } : listed;
}

type ListFile = { readonly name: string; readonly text: string };

/** Reads a file, or the Markdown files of a folder. */
async function readFiles(
  path: string,
  lists: ListFiles,
): Promise<{ readonly files: readonly ListFile[] } | ListProblem> {
  const text = await lists.currentText?.(path);
  if (text !== undefined)
    return text.length > maxListBytes ? { problem: `${path} is larger than 1 MB` } : { files: [{ name: "", text }] };
  const named = await lists.filesIn?.(path);
  if (named === undefined)
    return {
      problem: `${path} does not exist (over HTTP: was not submitted as content), is larger than 1 MB, or is not in the project (in a dot-folder only Markdown can be read, and nothing in .git or .waymark)`,
    };
  const names = named.filter((name) => name.toLowerCase().endsWith(".md")).sort();
  if (names.length > maxItems * 2) return { problem: `${path} has more than ${maxItems * 2} files` };
  const read = await Promise.all(
    names.map(async (name) => ({ name, text: await lists.currentText?.(`${path.replace(/\/+$/, "")}/${name}`) })),
  );
  const closed = read.find((one) => one.text === undefined);
  if (closed !== undefined) return { problem: `${closed.name} in ${path} cannot be read` };
  const files = read.map(({ name, text = "" }): ListFile => ({ name, text }));
  const size = files.reduce((sum, one) => sum + one.text.length, 0);
  return size > maxListBytes ? { problem: `${path} is larger than 1 MB` } : { files };
}

function limited(items: readonly ListedItem[], list: string, name: string): ListedItems {
  if (items.length > maxItems) return { problem: `${name} has ${items.length} items; at most ${maxItems}` };
  return items.length === 0 ? { problem: `${name} has no task` } : { items, list };
}
