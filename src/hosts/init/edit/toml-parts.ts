import { stringify } from "smol-toml";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import { isSameData } from "../../../kit/same-data.ts";
import { layoutOf } from "../../../kit/text-layout.ts";
import { type FilePart, type ServerPart, type Settings, serverName } from "../../host.ts";
import { decideEntry } from "./decide-entry.ts";
import type { EditResult, EntryFacts } from "./edit-result.ts";
import { parseToml, type TomlTable, tablesIn, withoutStatement } from "./toml-text.ts";

const noPlace = { problem: "a TOML file can only contain a server entry" };

/** Adds our server to a host's TOML file, as its own table. */
export function addToToml(text: string, part: FilePart, circumstances: EntryFacts): EditResult {
  if (part.kind !== "server") return noPlace;
  const before = parseToml(text);
  if ("problem" in before) return before;
  const current = ourEntry(before.value, part);
  if (current === undefined) return checked(appended(text, part), withEntry(before.value, part, part.entry));
  const { writes, ...kept } = decideEntry(current, part, circumstances);
  if (writes.length === 0) return { text, ...kept };
  const changed = Object.fromEntries(writes.map(([path, value]) => [path.join("."), value]));
  const after = checked(rewritten(text, part, changed), withEntry(before.value, part, { ...current, ...changed }));
  return "problem" in after ? after : { ...after, ...kept };
}

/** Reads our entry in a host's TOML file. */
export function entryInToml(
  text: string,
  part: ServerPart,
): { readonly entry: JsonObject | undefined } | { readonly problem: string } {
  const read = parseToml(text);
  return "problem" in read ? read : { entry: ourEntry(read.value, part) };
}

function ourEntry(value: TomlTable, { under }: ServerPart): JsonObject | undefined {
  const servers = value[under];
  const entry = isObject(servers) ? servers[serverName] : undefined;
  return isObject(entry) ? entry : undefined;
}

/** Removes our table from a host's TOML file, with its subtables. */
export function removeFromToml(text: string, part: FilePart): EditResult {
  if (part.kind !== "server") return noPlace;
  const before = parseToml(text);
  if ("problem" in before) return before;
  const { [part.under]: servers, ...others } = before.value;
  if (!isObject(servers) || servers[serverName] === undefined) return { text };
  const { [serverName]: _ours, ...rest } = servers;
  const expected = Object.keys(rest).length === 0 ? others : { ...others, [part.under]: rest };
  const lines = text.split("\n");
  const ours = tablesIn(lines).filter(({ header }) => {
    const named = header[part.under];
    return isObject(named) && serverName in named;
  });
  const isOurs = (index: number): boolean => ours.some(({ from, to }) => index >= from && index < to);
  // The blank line before our table goes with it.
  const isGap = (index: number): boolean => lines[index]?.trim() === "" && isOurs(index + 1);
  return checked(lines.filter((_, index) => !isOurs(index) && !isGap(index)).join("\n"), expected);
}

/** Accepts an edit only if the file then has its old content plus our part. */
function checked(text: string, expected: TomlTable): EditResult {
  const after = parseToml(text);
  const isAsMeant = "value" in after && isSameData(after.value, expected);
  return isAsMeant ? { text } : { problem: "its servers cannot be edited safely" };
}

function withEntry(value: TomlTable, { under }: ServerPart, entry: TomlTable): TomlTable {
  const servers = value[under];
  return { ...value, [under]: { ...(isObject(servers) ? servers : {}), [serverName]: entry } };
}

function appended(text: string, { under, entry }: ServerPart): string {
  const { eol } = layoutOf(text);
  const table = [`[${under}.${serverName}]`, ...statements(entry), ""].join(eol);
  if (text === "") return table;
  return `${text}${text.endsWith("\n") ? "" : eol}${eol}${table}`;
}

function statements(entry: Settings): string[] {
  return Object.entries(entry).map(([key, value]) => stringify({ [key]: value }).trim());
}

/** Replaces some statements of our table and keeps the rest. */
function rewritten(text: string, { under }: ServerPart, entry: Settings): string {
  const lines = text.split("\n");
  const table = tablesIn(lines).find(({ header }) => isSameData(header, { [under]: { [serverName]: {} } }));
  if (table === undefined) return text;
  const body = lines.slice(table.from + 1, table.to);
  const end = lines[table.from]?.endsWith("\r") ? "\r" : "";
  const added = statements(entry).map((line) => line + end);
  const kept = Object.keys(entry).reduce<string[]>(withoutStatement, body);
  return lines.toSpliced(table.from + 1, body.length, ...added, ...kept).join("\n");
}
