import { defined } from "../../kit/defined.ts";
import type { Json, JsonObject } from "../../kit/json.ts";
import { ignoredValueProblem, type JsonProblem, wrongValueProblem } from "../loader-problem.ts";
import { normalizeName } from "./definition-names.ts";
import type { ActionConfig } from "./tree.ts";

/** A parsed action_config.json; `broken` if a key that decides the sequence is invalid. */
export type ParsedAction = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: JsonProblem;
  readonly problems: readonly JsonProblem[];
};

/** Parses an action's config: strict if a wrong value would change the sequence, tolerant otherwise. */
export function parseActionConfig(value: JsonObject): ParsedAction {
  const wrong = (broken: JsonProblem): ParsedAction => ({ config: {}, broken, problems: [] });
  const { name, workflow, order, next_action: next, auto_confirm: confirm, auto_progress: auto = confirm } = value;
  if (workflow !== undefined && typeof workflow !== "boolean")
    return wrong(wrongValueProblem("workflow", "true or false"));
  if (next !== undefined && next !== null && typeof next !== "string")
    return wrong(wrongValueProblem("next_action", "the name of an action, or null"));
  const place = parseOrder(order);
  if (place === "wrong") return wrong(wrongValueProblem("order", "a number, or null"));

  const given = typeof name === "string" ? normalizeName(name) : "";
  const problems = [
    ...(name !== undefined && given === "" ? [ignoredValueProblem("name", "a string; the folder's name is used")] : []),
    ...(typeof order === "string" ? [orderAsText(Number(order))] : []),
    ...(auto !== undefined && typeof auto !== "boolean" && auto !== "if_proved"
      ? [
          ignoredValueProblem(
            value.auto_progress === undefined ? "auto_confirm" : "auto_progress",
            `true, false or "if_proved"; until then a person is asked`,
          ),
        ]
      : []),
  ];
  const config = {
    ...(given === "" ? {} : { name: given }),
    ...defined({ workflow, order: place }),
    ...(next === undefined ? {} : { next: next === null ? null : normalizeName(next) }),
    ...(auto === undefined ? {} : { auto: auto === "if_proved" ? ("if_proved" as const) : auto === true }),
  };
  return { config, problems };
}

function orderAsText(order: number): JsonProblem {
  const remark = ignoredValueProblem("order", "a number, not a string");
  return { ...remark, fix: "Remove the quotes.", edit: { at: ["order"], value: order } };
}

/** Fills in the defaults of a config. */
export function withDefaults(name: string, config: Partial<ActionConfig>): ActionConfig {
  return { name, workflow: true, order: null, auto: false, ...config };
}

function parseOrder(order: Json | undefined): number | null | undefined | "wrong" {
  if (order === undefined || order === null) return order;
  const place = typeof order === "string" && order.trim() !== "" ? Number(order) : order;
  return typeof place === "number" && Number.isFinite(place) ? place : "wrong";
}
