import { isDeepStrictEqual } from "node:util";
import { type GrowingBytes, growingBytes } from "../../kit/growing-bytes.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { ContentRecord, Event } from "../../workflow/events.ts";
import type { Era, FilePieces } from "./file-pieces.ts";
import { parseObjects } from "./json-text.ts";
import { quotedPaths } from "./workflow-state.ts";

/** Builds `activity_log.json` event by event, at constant cost per event. */
export type LogProjection = {
  add(event: Event): void;
  /** The whole file in pieces; undefined if there is nothing to log yet. */
  pieces(): FilePieces | undefined;
  /** The file's size; it only grows, so it identifies a content within an era. */
  size(): number;
  /** The end of the file; undefined if there is nothing to log yet. Quick, since most text is not built. */
  tail(): string | undefined;
  /** The state to continue from later. */
  saved(): SavedLog;
};

/** A projection's progress and last entry. */
export type SavedLog = { readonly entries: GrowingBytes; readonly last: string };

/** Starts or continues the projection of a bot's `activity_log.json`. */
export function logProjection(bot: string, from?: SavedLog): LogProjection {
  let { entries, last } = from ?? { entries: growingBytes(opens), last: "" };
  let era: Era = { name: "log" };
  const paths = quotedPaths(bot);
  /** Text is built lazily, so that opening a long history does not wait for it. */
  let unwritten: Logged[] = [];
  const put = (entry: string): void => {
    entries.add(`${last === "" ? "" : ","}\n  ${entry}`);
    last = entry;
  };
  /** An adopted log comes first. */
  const putInFront = (log: readonly JsonObject[]): void => {
    const own = { text: entries.view().toString("utf8", opens.length), last };
    [entries, last, era] = [growingBytes(opens), "", { name: "log" }];
    for (const entry of log) put(JSON.stringify(entry));
    if (own.last === "") return;
    entries.add(`${last === "" ? "" : ","}${own.text}`);
    last = own.last;
  };
  const write = (): void => {
    for (const event of unwritten) {
      if (event.type === "log_adopted") putInFront(event.log);
      else put(entryOf(event, paths));
    }
    unwritten = [];
  };
  return {
    add(event) {
      if (!isLogged(event)) return;
      unwritten.push(event);
      if (unwritten.length === mostUnwritten) write();
    },
    pieces() {
      write();
      return last === "" ? undefined : { era, stable: entries.view(), ending };
    },
    size() {
      write();
      return last === "" ? 0 : entries.length() + ending.length;
    },
    tail() {
      const event = unwritten.at(-1);
      if (event?.type === "log_adopted") write();
      const entry = event === undefined || event.type === "log_adopted" ? last : entryOf(event, paths);
      return entry === "" ? undefined : `\n  ${entry}${ending}`;
    },
    saved() {
      write();
      return { entries, last };
    },
  };
}

/** Spells `activity_log.json` event by event for a comparison, keeping none of it; undefined if an event changes earlier text. */
export function logSpelling(bot: string): { spell(event: Event): string | undefined; end(): string } {
  const paths = quotedPaths(bot);
  let isBegun = false;
  const lead = (): string => {
    const text = isBegun ? "," : opens;
    isBegun = true;
    return `${text}\n  `;
  };
  return {
    spell(event) {
      if (!isLogged(event)) return "";
      if (event.type !== "log_adopted") return lead() + entryOf(event, paths);
      return isBegun ? undefined : event.log.map((entry) => lead() + JSON.stringify(entry)).join("");
    },
    end: () => (isBegun ? ending.toString() : ""),
  };
}

/** The most events waiting for their text; more would cost more than the text. */
const mostUnwritten = 64;

const opens = "[";
const ending = Buffer.from("\n]\n");

/** Tells if a log on disk adds nothing to ours: an earlier version, or the adopted one. */
export function isEarlierLog(found: string, ours: string): boolean {
  if (isCutShort(found, ours)) return true;
  if (found === ours || (found.endsWith("\n]\n") && ours.startsWith(`${found.slice(0, -"\n]\n".length)},\n`)))
    return true;
  const entries = parseObjects(found);
  if (entries === undefined) return false;
  const known = parseObjects(ours) ?? [];
  return entries.every((entry, index) => isDeepStrictEqual(entry, known[index]));
}

/** Tells if a file was truncated or zeroed by a power cut. */
function isCutShort(found: string, ours: string): boolean {
  return ours.startsWith(found.replace(/\0+$/, ""));
}

type Logged = Extract<Event, { type: (typeof logged)[number] }>;

const logged = ["started", "aside_started", "completed", "aside_completed", "log_adopted"] as const;

const kinds: ReadonlySet<string> = new Set(logged);

function isLogged(event: Event): event is Logged {
  return kinds.has(event.type);
}

/** An entry as in the file, concatenated by hand, which takes half the time. */
function entryOf(event: Exclude<Logged, { type: "log_adopted" }>, paths: ReturnType<typeof quotedPaths>): string {
  const { at, workflow, step } = event;
  const isDone = event.type === "completed" || event.type === "aside_completed";
  const inputs = "inputs" in event && event.inputs !== undefined ? JSON.stringify(summarise(event.inputs)) : "{}";
  const content = "content" in event ? event.content : undefined;
  const outputs = isDone ? JSON.stringify(summariseOutputs(event.outputs, content)) : "{}";
  return `{"timestamp":${JSON.stringify(at)},"behavior":${paths(workflow)},"action":${paths(workflow, step)},"action_state":"${isDone ? "completed" : "started"}","inputs":${inputs},"outputs":${outputs},"duration":${isDone ? event.duration : null}}`;
}

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
