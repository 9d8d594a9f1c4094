import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../evidence/json.ts";
import type { Event } from "../../workflow/events.ts";
import { type GrowingBytes, growingBytes } from "./growing-bytes.ts";
import { parseObjects } from "./json-text.ts";
import type { Era, Pieces } from "./pieces.ts";
import { quotedPaths } from "./step-path.ts";
import { summarise, summariseOutputs } from "./summary.ts";

/** What `activity_log.json` shows, gathered event by event; adding one costs the same however long the history is. */
export type LogProjection = {
  add(event: Event): void;
  /** The whole file at this point of the history, in pieces; undefined where nothing is to be logged yet. */
  pieces(): Pieces | undefined;
  /** How many bytes the file has; it only grows, so that this tells one content of an era from another. */
  size(): number;
  /** How the file ends; undefined where nothing is to be logged yet. Quick: most of the text need not be made for it. */
  tail(): string | undefined;
  /** What to begin from at another time. */
  saved(): SavedLog;
};

/** How far a projection has come, and its last entry. */
export type SavedLog = { readonly entries: GrowingBytes; readonly last: string };

/** Begins the projection of one bot's `activity_log.json`, or goes on with it. */
export function logProjection(bot: string, from?: SavedLog): LogProjection {
  let { entries, last } = from ?? { entries: growingBytes(opens), last: "" };
  let era: Era = { name: "log" };
  const paths = quotedPaths(bot);
  /** Whoever opens a long history waits for its end, and not for the text of its log. */
  let unwritten: Logged[] = [];
  const put = (entry: string): void => {
    entries.add(`${last === "" ? "" : ","}\n  ${entry}`);
    last = entry;
  };
  /** What was taken over stands in front of all that is ours. */
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

/**
 * Spells `activity_log.json` out as its history goes on, for somebody who compares it and keeps none of it: what each event
 * adds to the text. Undefined where it changes what was spelled before.
 */
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

/** Many events that wait for their text cost more than it does. */
const mostUnwritten = 64;

const opens = "[";
const ending = Buffer.from("\n]\n");

/** Tells whether a log found on disk says nothing that ours does not: an earlier one of ours, or the one taken over. */
export function isEarlierLog(found: string, ours: string): boolean {
  if (isCutShort(found, ours)) return true;
  if (found === ours || (found.endsWith("\n]\n") && ours.startsWith(`${found.slice(0, -"\n]\n".length)},\n`)))
    return true;
  const entries = parseObjects(found);
  if (entries === undefined) return false;
  const known = parseObjects(ours) ?? [];
  return entries.every((entry, index) => isDeepStrictEqual(entry, known[index]));
}

/** A power cut leaves the beginning of a file, or zeros where its bytes should be. */
function isCutShort(found: string, ours: string): boolean {
  return ours.startsWith(found.replace(/\0+$/, ""));
}

type Logged = Extract<Event, { type: (typeof logged)[number] }>;

const logged = ["started", "aside_started", "completed", "aside_completed", "log_adopted"] as const;

const kinds: ReadonlySet<string> = new Set(logged);

function isLogged(event: Event): event is Logged {
  return kinds.has(event.type);
}

/** An entry as it stands in the file. Put together by hand, which takes half the time. */
function entryOf(event: Exclude<Logged, { type: "log_adopted" }>, paths: ReturnType<typeof quotedPaths>): string {
  const { at, workflow, step } = event;
  const isDone = event.type === "completed" || event.type === "aside_completed";
  const inputs = "inputs" in event && event.inputs !== undefined ? JSON.stringify(summarise(event.inputs)) : "{}";
  const content = "content" in event ? event.content : undefined;
  const outputs = isDone ? JSON.stringify(summariseOutputs(event.outputs, content)) : "{}";
  return `{"timestamp":${JSON.stringify(at)},"behavior":${paths(workflow)},"action":${paths(workflow, step)},"action_state":"${isDone ? "completed" : "started"}","inputs":${inputs},"outputs":${outputs},"duration":${isDone ? event.duration : null}}`;
}
