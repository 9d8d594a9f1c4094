import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { ForeignPosition } from "../../workflow/reconcile.ts";

/** Reads a foreign state file as far as possible. */
export function readFoundState(file: JsonObject): ForeignPosition {
  const { current_behavior: behavior, current_action: action, action_state: state, timestamp } = file;
  const { completed_actions: completed } = file;
  return {
    ...(isText(behavior) ? { workflow: behavior } : {}),
    ...(isText(action) ? { step: action } : {}),
    ...(state === "started" || state === "completed" ? { state } : {}),
    ...(isText(timestamp) ? { timestamp } : {}),
    completed: Array.isArray(completed) ? completed.flatMap(readEntry) : [],
  };
}

function readEntry(entry: Json): ForeignPosition["completed"] {
  if (isText(entry)) return [{ step: entry }];
  if (!isObject(entry)) return [];
  const action = isText(entry.action_state) ? entry.action_state : entry.action;
  if (!isText(action)) return [];
  const { timestamp, duration } = entry;
  return [
    {
      step: action,
      ...(isText(timestamp) ? { timestamp } : {}),
      ...(typeof duration === "number" ? { duration } : {}),
    },
  ];
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}
