import { win32 } from "node:path";
import type { Path } from "../../../kit/edit-json.ts";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import { isSameData } from "../../../kit/same-data.ts";
import type { ServerPart, Setting, Settings } from "../../host.ts";
import { canStart } from "./can-start.ts";
import { type EntryFacts, keptEntryReason } from "./edit-result.ts";

/** A value to write at a path of an entry. */
export type EntryWrite = readonly [path: Path, value: Setting];

/** The values to write over an existing entry, and the reason if it stays different from ours. */
export type EntryDecision = { readonly writes: readonly EntryWrite[]; readonly kept?: string };

/** Decides what to write over an entry: ours wins over an earlier init's and over one that cannot start; a person's own stays. */
export function decideEntry(current: JsonObject, part: ServerPart, circumstances: EntryFacts): EntryDecision {
  const ours = writesOf(part.entry).filter(([path, value]) => !isSameData(valueIn(current, path), value));
  const { replace, exists, installed } = circumstances;
  if (replace || !canStart(current, exists) || (installed && isCommand(current))) return { writes: ours };
  const root = part.root === undefined ? rootIn(current) : "none";
  if (root === "full") return { writes: ours };
  const writes = root === "none" ? [] : [...withoutRoot(current), ...ours.filter(([path]) => !valueIn(current, path))];
  const isOurs = ours.every(([path, value]) =>
    writes.some(([place, now]) => isSameData(place, path) && isSameData(now, value)),
  );
  return isOurs ? { writes } : { writes, kept: keptEntryReason };
}

/** The form of `--root` in an entry that an earlier init wrote: the host's variable, or a full path that works on one machine only. */
function rootIn(entry: JsonObject): "word" | "full" | "none" {
  const words = wordsOf(entry);
  const [serve, flag, folder = ""] = words.slice(-3);
  if (serve !== "serve" || flag !== "--root") return "none";
  if (folder === "." || folder.startsWith("${")) return "word";
  const [script = ""] = words;
  const isByPath = [entry.command, script, folder].every((word) => typeof word === "string" && win32.isAbsolute(word));
  const isNode = /^node(\.exe)?$/i.test(win32.basename(String(entry.command)));
  return words.length === 4 && isByPath && isNode && win32.basename(script) === "waymark.js" ? "full" : "none";
}

/** True for an entry that starts the plain `waymark` command, init's last resort. */
function isCommand(entry: JsonObject): boolean {
  return /^(cmd \/c )?waymark serve$/.test([entry.command, ...wordsOf(entry)].join(" "));
}

function withoutRoot(entry: JsonObject): EntryWrite[] {
  return [[["args"], wordsOf(entry).slice(0, -2)]];
}

function wordsOf({ args }: JsonObject): readonly string[] {
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  return words.map(String);
}

function writesOf(entry: Settings): EntryWrite[] {
  return Object.entries(entry).flatMap(([key, value]): EntryWrite[] =>
    isTable(value) ? Object.entries(value).map(([name, inner]) => [[key, name], inner]) : [[[key], value]],
  );
}

function isTable(value: Setting): value is { readonly [key: string]: string } {
  return isObject(value);
}

function valueIn(entry: JsonObject, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), entry);
}
