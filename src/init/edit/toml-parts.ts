import { stringify } from "smol-toml";
import { type Part, type ServerPart, type Settings, serverName } from "../../hosts/host.ts";
import type { Circumstances, Edited } from "./edited.ts";
import { settle } from "./entry.ts";
import { isObject, type JsonObject } from "./json-text.ts";
import { layoutOf } from "./layout.ts";
import { isSameData } from "./same-data.ts";
import { parseToml, tablesIn, withoutStatement } from "./toml-text.ts";

const noPlace = { problem: "only a server has a place in a TOML file" };

/** Adds our server to a host's TOML file, as a table of its own. */
export function addToToml(text: string, part: Part, circumstances: Circumstances): Edited {
  if (part.kind !== "server") return noPlace;
  const before = parseToml(text);
  if ("problem" in before) return before;
  const servers = before.value[part.under];
  const current = isObject(servers) ? servers[serverName] : undefined;
  if (!isObject(current)) return checked(appended(text, part), withEntry(before.value, part, part.entry));
  const { writes, ...kept } = settle(current, part, circumstances);
  if (writes.length === 0) return { text, ...kept };
  const changed = Object.fromEntries(writes.map(([path, value]) => [path.join("."), value]));
  const after = checked(rewritten(text, part, changed), withEntry(before.value, part, { ...current, ...changed }));
  return "problem" in after ? after : { ...after, ...kept };
}

/** Takes our table out of a host's TOML file, with the tables inside it. */
export function removeFromToml(text: string, part: Part): Edited {
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
  // The blank line that set our table off goes with it.
  const isGap = (index: number): boolean => lines[index]?.trim() === "" && isOurs(index + 1);
  return checked(lines.filter((_, index) => !isOurs(index) && !isGap(index)).join("\n"), expected);
}

/** An edit counts only if the file then says what it said before, and our part. */
function checked(text: string, expected: JsonObject): Edited {
  const after = parseToml(text);
  const isAsMeant = "value" in after && isSameData(after.value, expected);
  return isAsMeant ? { text } : { problem: "its servers are written in a way that cannot be edited safely" };
}

function withEntry(value: JsonObject, { under }: ServerPart, entry: JsonObject): JsonObject {
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

/** Our table with some of its statements replaced; what else stands in it stays. */
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
