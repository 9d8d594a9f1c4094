import { isObject, type Json } from "../../workflow/json.ts";
import { asName } from "./names.ts";
import type { ActionConfig } from "./tree.ts";

/** What an action_config.json sets; `broken` where a key that decides the sequence cannot be understood. */
export type ParsedAction = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: string;
  readonly problems: readonly string[];
};

/** Understands an action's config: strict where a wrong value would change the sequence, tolerant elsewhere. */
export function parseActionConfig(value: Json): ParsedAction {
  if (!isObject(value)) return { config: {}, broken: "it must hold a JSON object", problems: [] };
  const { name, workflow, order, next_action: next, auto_progress: auto } = value;
  const wrong = (message: string): ParsedAction => ({ config: {}, broken: message, problems: [] });
  if (workflow !== undefined && typeof workflow !== "boolean") return wrong("workflow must be true or false");
  if (next !== undefined && next !== null && typeof next !== "string")
    return wrong("next_action must be the name of an action, or null");
  const place = placeOf(order);
  if (place === "wrong") return wrong("order must be a number, or null");

  const given = typeof name === "string" ? asName(name) : "";
  const problems = [
    ...(name !== undefined && given === "" ? ["name must be a text; the folder's name is used"] : []),
    ...(typeof order === "string" ? ["order must be a number, not a text"] : []),
    ...(auto !== undefined && typeof auto !== "boolean"
      ? ["auto_progress must be true or false; without it a person is asked"]
      : []),
  ];
  const config = {
    ...(given === "" ? {} : { name: given }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(place === undefined ? {} : { order: place }),
    ...(next === undefined ? {} : { next: next === null ? null : asName(next) }),
    ...(auto === undefined ? {} : { auto: auto === true }),
  };
  return { config, problems };
}

/** The config with what it leaves out filled in. */
export function wholeConfig(name: string, config: Partial<ActionConfig>): ActionConfig {
  return { name, workflow: true, order: null, auto: false, ...config };
}

function placeOf(order: Json | undefined): number | null | undefined | "wrong" {
  if (order === undefined || order === null) return order;
  const place = typeof order === "string" && order.trim() !== "" ? Number(order) : order;
  return typeof place === "number" && Number.isFinite(place) ? place : "wrong";
}
