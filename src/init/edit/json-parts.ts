import { basename } from "node:path";
import { type ItemsPart, type Part, type ServerPart, type SettingPart, serverName } from "../../hosts/host.ts";
import type { Circumstances, Edited } from "./edited.ts";
import { settle } from "./entry.ts";
import { appendAt, isObject, type OpenJson, openJson, removeAt, setAt, valueAt } from "./json-text.ts";

type Step = OpenJson | { readonly problem: string };

/** Adds our part to a host's JSON file. */
export function addToJson(text: string, part: Part, circumstances: Circumstances): Edited {
  const open = openJson(text);
  if ("problem" in open) return open;
  switch (part.kind) {
    case "server":
      return addServer(open, part, circumstances);
    case "items":
      return textOf(addItems(open, part));
    case "setting":
      return textOf(isToSet(valueAt(open, part.at), part) ? setAt(open, part.at, part.value) : open);
    case "block":
      return { problem: "a block of lines has no place in a JSON file" };
  }
}

function isToSet(standing: unknown, { value, replace }: SettingPart): boolean {
  return standing === undefined || (replace === true && standing !== value);
}

/** Takes our part out of a host's JSON file. */
export function removeFromJson(text: string, part: Part): Edited {
  if (text.trim() === "") return { text };
  const open = openJson(text);
  if ("problem" in open) return open;
  switch (part.kind) {
    case "server":
      return textOf(
        ourNames(open, part).reduce<Step>((step, name) => then(step, (now) => removeAt(now, [part.under, name])), open),
      );
    case "items":
      return textOf(part.items.reduce<Step>((step, item) => then(step, (now) => removeAt(now, part.at, item)), open));
    case "setting":
      return textOf(valueAt(open, part.at) === part.value ? removeAt(open, part.at) : open);
    case "block":
      return { problem: "a block of lines has no place in a JSON file" };
  }
}

function addServer(open: OpenJson, part: ServerPart, circumstances: Circumstances): Edited {
  const name = ourNames(open, part)[0] ?? freeName(open, part);
  const at = [part.under, name];
  const current = valueAt(open, at);
  if (!isObject(current)) return textOf(setAt(open, at, part.entry));
  const { writes, ...kept } = settle(current, part, circumstances);
  const written = writes.reduce<Step>(
    (step, [path, value]) => then(step, (now) => setAt(now, [...at, ...path], value)),
    open,
  );
  return "problem" in written ? written : { text: written.text, ...kept };
}

/** The entries that are this project's: by name, or, in a file for all projects, by the folder they name. */
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

function addItems(open: OpenJson, { at, items }: ItemsPart): Step {
  const current = valueAt(open, at);
  if (current === undefined) return setAt(open, at, items);
  const list: readonly unknown[] = Array.isArray(current) ? current : [];
  return items
    .filter((item) => !list.includes(item))
    .reduce<Step>((step, item) => then(step, (now) => appendAt(now, at, item)), open);
}

function then(step: Step, next: (open: OpenJson) => Step): Step {
  return "problem" in step ? step : next(step);
}

function textOf(step: Step): Edited {
  return "problem" in step ? step : { text: step.text };
}
