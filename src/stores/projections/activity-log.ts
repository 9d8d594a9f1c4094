import type { Event } from "../../workflow/events.ts";
import type { JsonObject } from "../../workflow/json.ts";
import { type GrowingBytes, growingBytes } from "./growing-bytes.ts";
import { parseObjects } from "./json-text.ts";
import type { Pieces } from "./pieces.ts";
import { stepPath } from "./step-path.ts";
import { summarise, summariseOutputs } from "./summary.ts";

/** What `activity_log.json` shows, gathered event by event; adding one costs the same however long the history is. */
export type LogProjection = {
  add(event: Event): void;
  /** The whole file at this point of the history, in pieces; undefined where nothing is to be logged yet. */
  pieces(): Pieces | undefined;
  /** How many bytes the file has; it only grows, so that this tells one content from another. */
  size(): number;
  /** What to begin from at another time. */
  saved(): SavedLog;
};

/** How far a projection has come. `takenOver` says how often a log was put in front. */
export type SavedLog = { readonly takenOver: number; readonly entries: GrowingBytes };

/** Begins the projection of one bot's `activity_log.json`, or goes on with it. */
export function logProjection(bot: string, from?: SavedLog): LogProjection {
  let { entries, takenOver } = from ?? { entries: growingBytes(opens), takenOver: 0 };
  let isEmpty = entries.length() === opens.length;
  const put = (entry: JsonObject): void => {
    entries.add(`${isEmpty ? "" : ","}\n  ${JSON.stringify(entry)}`);
    isEmpty = false;
  };
  /** What was taken over stands in front of all that is ours. */
  const putInFront = (log: readonly JsonObject[]): void => {
    const own = entries.view().toString("utf8", opens.length);
    entries = growingBytes(opens);
    isEmpty = true;
    takenOver += 1;
    for (const entry of log) put(entry);
    if (own === "") return;
    entries.add(`${isEmpty ? "" : ","}${own}`);
    isEmpty = false;
  };
  const size = (): number => (isEmpty ? 0 : entries.length() + ending.length);
  return {
    add(event) {
      if (event.type === "log_adopted") putInFront(event.log);
      const entry = entryOf(bot, event);
      if (entry !== undefined) put(entry);
    },
    pieces: () => (isEmpty ? undefined : { era: `${takenOver}`, stable: entries.view(), ending }),
    size,
    saved: () => ({ entries, takenOver }),
  };
}

const opens = "[";
const ending = Buffer.from("\n]\n");

/** Tells whether a log found on disk says nothing that ours does not: an earlier one of ours, or the one taken over. */
export function isEarlierLog(found: string, ours: string): boolean {
  if (found === ours || (found.endsWith("\n]\n") && ours.startsWith(`${found.slice(0, -"\n]\n".length)},\n`)))
    return true;
  const entries = parseObjects(found);
  if (entries === undefined) return false;
  const known = parseObjects(ours) ?? [];
  return entries.every((entry, index) => JSON.stringify(entry) === JSON.stringify(known[index]));
}

function entryOf(bot: string, event: Event): JsonObject | undefined {
  const state = logged.get(event.type);
  if (state === undefined || !("step" in event) || event.step === undefined) return undefined;
  const inputs = "inputs" in event && event.inputs !== undefined ? summarise(event.inputs) : {};
  const isDone = event.type === "completed" || event.type === "aside_completed";
  return {
    timestamp: event.at,
    behavior: stepPath(bot, event.workflow),
    action: stepPath(bot, event.workflow, event.step),
    action_state: state,
    inputs,
    outputs: isDone ? summariseOutputs(event.outputs, "content" in event ? event.content : undefined) : {},
    duration: isDone ? event.duration : null,
  };
}

const logged: ReadonlyMap<Event["type"], string> = new Map([
  ["started", "started"],
  ["aside_started", "started"],
  ["completed", "completed"],
  ["aside_completed", "completed"],
]);
