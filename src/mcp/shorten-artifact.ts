import { isObject, type Json, type JsonObject } from "../evidence/json.ts";
import type { PhaseArtifact } from "../words/session-view.ts";

/** Numbers, booleans and texts up to this length always stay. */
export const shortText = 120;

/** What a phase produced, as later phases see it. */
export function produced({ outputs, commands_executed, files }: PhaseArtifact): JsonObject {
  return {
    ...outputs,
    ...(commands_executed.length === 0 ? {} : { commands_executed }),
    ...(files.length === 0 ? {} : { files: files.map(({ path }) => path) }),
  };
}

/** How much of a long text and of a list stays. */
export type Cut = { readonly text: number; readonly items: number };

/** Cuts the long texts and lists of what a phase produced. */
export function shorten(whole: JsonObject, cut: Cut): JsonObject {
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, shortened(value, cut)]));
}

/** Leaves long texts and lists out, and says how many. */
export function counted(whole: JsonObject): JsonObject {
  return onlyShort(whole, (long) => `${long.length} more`);
}

/** Leaves long texts and lists out, and says which, and how much there is of each. */
export function named(whole: JsonObject): JsonObject {
  return onlyShort(whole, (long) => long.map(sized).join(", "));
}

type Entry = readonly [name: string, value: Json];

function onlyShort(whole: JsonObject, say: (long: readonly Entry[]) => string): JsonObject {
  const entries = Object.entries(whole);
  const long = entries.filter(([, value]) => isLong(value));
  const short = entries.filter(([, value]) => !isLong(value));
  const shown = short.map(([name, value]): Entry => [name, shortened(value, { text: 0, items: 0 })]);
  const marker = "…".repeat(Object.hasOwn(whole, "…") ? 2 : 1);
  return Object.fromEntries(long.length === 0 ? shown : [...shown, [marker, say(long)]]);
}

function isLong(value: Json): boolean {
  return typeof value === "string" ? value.length > shortText : Array.isArray(value) && value.length > 0;
}

function sized([name, value]: Entry): string {
  if (typeof value === "string") return `${name} (${value.length} characters)`;
  return Array.isArray(value) ? `${name} (${value.length})` : name;
}

function shortened(value: Json, cut: Cut): Json {
  if (typeof value === "string") return shortenedText(value, cut);
  if (Array.isArray(value)) return value.length === 0 ? value : shortenedList(value, cut);
  return isObject(value) ? shortenedObject(value, cut) : value;
}

function shortenedText(text: string, { text: length }: Cut): string {
  if (text.length <= shortText) return text;
  const start = [...text.slice(0, length * 2)].slice(0, length).join("");
  return `${start}… (${text.length} characters)`;
}

function shortenedList(list: readonly Json[], cut: Cut): Json {
  const items = list.slice(0, cut.items).map((item) => shortened(item, cut));
  const missing = list.length - items.length;
  return missing === 0 ? items : [...items, `… ${missing} more`];
}

/** An object keeps what is short in it; one of many keys is a list by another name. */
function shortenedObject(value: JsonObject, cut: Cut): JsonObject {
  const entries = Object.entries(value);
  const kept = entries.length > 20 ? entries.slice(0, cut.items) : entries;
  const shown = kept.map(([name, item]): [string, Json] => [name, shortened(item, cut)]);
  const missing = entries.length - kept.length;
  return Object.fromEntries(missing === 0 ? shown : [...shown, ["…", `${missing} more`]]);
}
