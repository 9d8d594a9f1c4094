import type { Event } from "../../workflow/events.ts";
import type { JsonObject } from "../../workflow/json.ts";
import { parseObjects } from "./json-text.ts";
import { stepPath } from "./step-path.ts";
import { summarise, summariseOutputs } from "./summary.ts";

/** What `activity_log.json` shows, gathered event by event; adding one costs the same however long the history is. */
export type LogProjection = {
  add(event: Event): void;
  /** The whole file at this point of the history; undefined where nothing is to be logged yet. */
  text(): string | undefined;
};

/** Begins the projection of one bot's `activity_log.json`. */
export function logProjection(bot: string): LogProjection {
  let adopted = "";
  let own = "";
  return {
    add(event) {
      if (event.type === "log_adopted") adopted += event.log.map(line).join("");
      const entry = entryOf(bot, event);
      if (entry !== undefined) own += line(entry);
    },
    text() {
      const lines = adopted + own;
      return lines === "" ? undefined : `[${lines.slice(1)}\n]\n`;
    },
  };
}

/** Tells whether a log found on disk says nothing that ours does not: an earlier one of ours, or the one taken over. */
export function isEarlierLog(found: string, ours: string | undefined): boolean {
  if (ours === undefined) return false;
  if (found === ours || (found.endsWith("\n]\n") && ours.startsWith(`${found.slice(0, -"\n]\n".length)},\n`)))
    return true;
  const entries = parseObjects(found);
  if (entries === undefined) return false;
  const known = parseObjects(ours) ?? [];
  return entries.every((entry, index) => JSON.stringify(entry) === JSON.stringify(known[index]));
}

function line(entry: JsonObject): string {
  return `,\n  ${JSON.stringify(entry)}`;
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
