import { win32 } from "node:path";
import type { ServerPart, Setting, Settings } from "../../hosts/host.ts";
import { canStart } from "./can-start.ts";
import { type Circumstances, ownEntry } from "./edited.ts";
import { isObject, type JsonObject, type Path } from "./json-text.ts";
import { isSameData } from "./same-data.ts";

/** A value that is to stand at a place of an entry. */
export type Write = readonly [path: Path, value: Setting];

/** What is to be written over an entry that is there; what else stands in it stays, and where it stays other than ours, why. */
export type Settled = { readonly writes: readonly Write[]; readonly kept?: string };

/** Ours over what an earlier init wrote and over what cannot start; an entry of the person's own stays. */
export function settle(current: JsonObject, part: ServerPart, circumstances: Circumstances): Settled {
  const ours = writesOf(part.entry).filter(([path, value]) => !isSameData(valueIn(current, path), value));
  const { replace, exists, installed } = circumstances;
  if (replace || !canStart(current, exists) || (installed && isCommand(current))) return { writes: ours };
  const root = part.root === undefined ? rootIn(current) : "none";
  if (root === "full") return { writes: ours };
  const writes = root === "none" ? [] : [...withoutRoot(current), ...ours.filter(([path]) => !valueIn(current, path))];
  const isOurs = ours.every(([path, value]) =>
    writes.some(([place, now]) => isSameData(place, path) && isSameData(now, value)),
  );
  return isOurs ? { writes } : { writes, kept: ownEntry };
}

/**
 * How an entry names its project with `--root`, as init once wrote it: by the host's word for the folder, or, with node and
 * Waymark, by a full path, which holds for one machine only. What a person wrote otherwise is theirs.
 */
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

/** Whether it starts a command that every machine must have, as init writes it where there is nothing better. */
function isCommand(entry: JsonObject): boolean {
  return /^(cmd \/c )?waymark serve$/.test([entry.command, ...wordsOf(entry)].join(" "));
}

function withoutRoot(entry: JsonObject): Write[] {
  return [[["args"], wordsOf(entry).slice(0, -2)]];
}

function wordsOf({ args }: JsonObject): readonly string[] {
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  return words.map(String);
}

function writesOf(entry: Settings): Write[] {
  return Object.entries(entry).flatMap(([key, value]): Write[] =>
    isTable(value) ? Object.entries(value).map(([name, inner]) => [[key, name], inner]) : [[[key], value]],
  );
}

function isTable(value: Setting): value is { readonly [key: string]: string } {
  return isObject(value);
}

function valueIn(entry: JsonObject, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), entry);
}
