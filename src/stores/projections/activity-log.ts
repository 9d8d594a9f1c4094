import type { Event } from "../../workflow/events.ts";
import type { JsonObject } from "../../workflow/json.ts";
import { growingBytes } from "./growing-bytes.ts";
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
};

/** Begins the projection of one bot's `activity_log.json`. */
export function logProjection(bot: string): LogProjection {
  let entries = growingBytes(opens);
  let takenOver = 0;
  const put = (entry: JsonObject): void =>
    entries.add(`${entries.view().length === opens.length ? "" : ","}\n  ${JSON.stringify(entry)}`);
  /** What was taken over stands in front of all that is ours. */
  const putInFront = (log: readonly JsonObject[]): void => {
    const own = entries.view().toString("utf8", opens.length);
    entries = growingBytes(opens);
    takenOver += 1;
    for (const entry of log) put(entry);
    entries.add(`${own === "" || log.length === 0 ? "" : ","}${own}`);
  };
  const size = (): number => (entries.view().length === opens.length ? 0 : entries.view().length + ending.length);
  return {
    add(event) {
      if (event.type === "log_adopted") putInFront(event.log);
      const entry = entryOf(bot, event);
      if (entry !== undefined) put(entry);
    },
    pieces: () => (size() === 0 ? undefined : { era: `${takenOver}`, stable: entries.view(), ending }),
    size,
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
