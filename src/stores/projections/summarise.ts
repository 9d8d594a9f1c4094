import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { ContentRecord } from "../../workflow/events.ts";

const maxText = 200;
const maxKeys = 50;

/** Shortens a submission for a log: short values stay, lists and deep objects become counts. */
export function summarise(value: JsonObject): JsonObject {
  return summariseObject(value, (inner) => (isObject(inner) ? summariseObject(inner, count) : count(inner)));
}

/** Shortens outputs and adds the names of their files. */
export function summariseOutputs(
  outputs: JsonObject | undefined,
  content: readonly ContentRecord[] | undefined,
): JsonObject {
  const summary = outputs === undefined ? {} : summarise(outputs);
  if (content === undefined || content.length === 0) return summary;
  const key = Object.hasOwn(summary, "files") ? "content_files" : "files";
  return { ...summary, [key]: content.map(({ path }) => path) };
}

function summariseObject(value: JsonObject, inner: (value: Json) => Json): JsonObject {
  const keys = Object.keys(value);
  if (keys.length > maxKeys || keys.some((key) => key.length > maxText)) return { keys: keys.length };
  if (keys.every((key) => isShort(value[key] ?? null))) return value;
  // fromEntries defines each key as data, so that `__proto__` is a key like any other.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
}

function count(value: Json): Json {
  if (typeof value === "string") return shorten(value);
  if (Array.isArray(value)) return { count: value.length };
  if (isObject(value)) return { keys: Object.keys(value).length };
  return value;
}

/** Tells if a value is short enough to stay. */
function isShort(value: Json): boolean {
  return typeof value === "string" ? value.length <= maxText : typeof value !== "object" || value === null;
}

function shorten(text: string): string {
  if (text.length <= maxText) return text;
  return `${text.slice(0, maxText).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
