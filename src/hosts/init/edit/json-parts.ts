import { basename } from "node:path";
import {
  andThen,
  appendAt,
  type EditStep,
  type OpenJson,
  openJson,
  removeAt,
  setAt,
  valueAt,
} from "../../../kit/edit-json.ts";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import {
  type FilePart,
  type ItemsPart,
  type ServerPart,
  type SettingPart,
  type Settings,
  serverName,
} from "../../host.ts";
import { decideEntry, type EntryWrite } from "./decide-entry.ts";
import type { EditResult, EntryFacts } from "./edit-result.ts";
import { addHook, removeHooks } from "./json-hooks.ts";

/** Adds our part to a host's JSON file. */
export function addToJson(text: string, part: FilePart, circumstances: EntryFacts): EditResult {
  const open = openObject(text);
  if ("problem" in open) return open;
  switch (part.kind) {
    case "server":
      return addServer(open, part, circumstances);
    case "items":
      return textOf(addItems(open, part));
    case "hook":
      return addHook(open, part, circumstances);
    case "setting":
      return textOf(shouldSet(valueAt(open, part.at), part) ? setAt(open, part.at, part.value) : open);
    case "block":
      return { problem: "a JSON file cannot contain a block of lines" };
  }
}

/** Reads our entry in a host's JSON file. */
export function entryInJson(
  text: string,
  part: ServerPart,
): { readonly entry: JsonObject | undefined } | { readonly problem: string } {
  const open = openObject(text);
  if ("problem" in open) return open;
  const [name] = ourNames(open, part);
  const entry = name === undefined ? undefined : valueAt(open, [part.under, name]);
  return { entry: isObject(entry) ? splitCommand(entry, part) : undefined };
}

function openObject(text: string): EditStep {
  return andThen(openJson(text), (open) => (isObject(open.value) ? open : { problem: "it is not a JSON object" }));
}

function shouldSet(status: unknown, { value, replace }: SettingPart): boolean {
  return status === undefined || (replace === true && status !== value);
}

/** Removes our part from a host's JSON file. */
export function removeFromJson(text: string, part: FilePart): EditResult {
  if (text.trim() === "") return { text };
  const open = openObject(text);
  if ("problem" in open) return open;
  switch (part.kind) {
    case "server":
      return textOf(
        ourNames(open, part).reduce<EditStep>(
          (step, name) => andThen(step, (now) => removeAt(now, [part.under, name])),
          open,
        ),
      );
    case "items":
      return textOf(
        part.items.reduce<EditStep>((step, item) => andThen(step, (now) => removeAt(now, part.at, item)), open),
      );
    case "hook":
      return textOf(removeHooks(open, part));
    case "setting":
      return textOf(shouldRemove(open, part) ? removeAt(open, part.at) : open);
    case "block":
      return { problem: "a JSON file cannot contain a block of lines" };
  }
}

function shouldRemove(open: OpenJson, { at, value, form }: SettingPart): boolean {
  const isAlone = isObject(open.value) && Object.keys(open.value).every((key) => key === at[0]);
  return valueAt(open, at) === value && (form !== true || isAlone);
}

function addServer(open: OpenJson, part: ServerPart, circumstances: EntryFacts): EditResult {
  const name = ourNames(open, part)[0] ?? freeName(open, part);
  const at = [part.under, name];
  const current = valueAt(open, at);
  if (!isObject(current)) return textOf(setAt(open, at, entryOf(part)));
  const { writes: wanted, ...kept } = decideEntry(splitCommand(current, part), part, circumstances);
  const writes = part.asList ? inOneList(wanted, splitCommand(current, part)) : wanted;
  const written = writes.reduce<EditStep>(
    (step, [path, value]) => andThen(step, (now) => setAt(now, [...at, ...path], value)),
    open,
  );
  return "problem" in written ? written : { text: written.text, ...kept };
}

/** The names of this project's entries: by name, or in a file for all projects by their folder. */
function ourNames(open: OpenJson, { under, root }: ServerPart): string[] {
  const servers = valueAt(open, [under]);
  if (!isObject(servers)) return [];
  if (root === undefined) return serverName in servers ? [serverName] : [];
  return Object.entries(servers).flatMap(([name, entry]) => {
    const args: readonly unknown[] = isObject(entry) && Array.isArray(entry.args) ? entry.args : [];
    return args.includes("serve") && args.includes(root) ? [name] : [];
  });
}

function freeName(open: OpenJson, { under, root }: ServerPart): string {
  if (root === undefined) return serverName;
  const folder = basename(root).replaceAll(/[^\w-]/g, "-");
  const names = [serverName, ...["", "-2", "-3", "-4"].map((ending) => `${serverName}-${folder}${ending}`)];
  return names.find((name) => valueAt(open, [under, name]) === undefined) ?? serverName;
}

/** An entry in the host's form. */
function entryOf({ entry, asList }: ServerPart): Settings {
  const { command, args, ...rest } = entry;
  return asList ? { type: "local", command: [String(command), ...wordsIn(args)], ...rest } : entry;
}

/** Splits a command list into program and arguments. */
function splitCommand(current: JsonObject, { asList }: ServerPart): JsonObject {
  if (!asList) return current;
  const [command = "", ...args] = wordsIn(current.command);
  return { ...current, command, args };
}

function inOneList(writes: readonly EntryWrite[], current: JsonObject): readonly EntryWrite[] {
  const isOfCommand = ([path]: EntryWrite): boolean => path[0] === "command" || path[0] === "args";
  if (!writes.some(isOfCommand)) return writes;
  const said = (key: string): unknown => writes.find(([path]) => path[0] === key)?.[1] ?? current[key];
  const list = [String(said("command")), ...wordsIn(said("args"))];
  return [...writes.filter((write) => !isOfCommand(write)), [["command"], list]];
}

function wordsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function addItems(open: OpenJson, { at, items }: ItemsPart): EditStep {
  const current = valueAt(open, at);
  if (current === undefined) return setAt(open, at, items);
  const list: readonly unknown[] = Array.isArray(current) ? current : [];
  return items
    .filter((item) => !list.includes(item))
    .reduce<EditStep>((step, item) => andThen(step, (now) => appendAt(now, at, item)), open);
}

function textOf(step: EditStep): EditResult {
  return "problem" in step ? step : { text: step.text };
}
