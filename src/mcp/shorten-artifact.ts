import { isObject, type Json, type JsonObject } from "../kit/json.ts";
import type { PhaseArtifact } from "../workflow/session-view.ts";

/** Numbers, booleans and texts up to this length always stay. */
export const shortText = 120;

/** The artifacts of a phase, as later phases see them. */
export function produced({ outputs, commands_executed, files }: PhaseArtifact): JsonObject {
  return {
    ...outputs,
    ...(commands_executed.length === 0 ? {} : { commands_executed }),
    ...(files.length === 0 ? {} : { files: files.map(({ path }) => path) }),
  };
}

/** The part of a long text and of a list that stays. */
export type Cut = { readonly text: number; readonly items: number };

/** Cuts the long texts and lists of a phase's artifacts. */
export function shorten(whole: JsonObject, cut: Cut): JsonObject {
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, shortened(value, cut)]));
}

/** Leaves out long texts and lists, and counts them. */
export function counted(whole: JsonObject): JsonObject {
  return onlyShort(whole, (long) => `${long.length} more`);
}

/** Leaves out long texts and lists, and names each with its size. */
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

/** Keeps what is short in an object; one with many keys is cut like a list. */
function shortenedObject(value: JsonObject, cut: Cut): JsonObject {
  const entries = Object.entries(value);
  const kept = entries.length > 20 ? entries.slice(0, cut.items) : entries;
  const shown = kept.map(([name, item]): [string, Json] => [name, shortened(item, cut)]);
  const missing = entries.length - kept.length;
  return Object.fromEntries(missing === 0 ? shown : [...shown, ["…", `${missing} more`]]);
}
