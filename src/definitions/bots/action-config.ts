import { isObject, type Json } from "../../evidence/json.ts";
import { ignoredValue, type Remark, wrongValue } from "../problem.ts";
import { asName } from "./names.ts";
import type { ActionConfig } from "./tree.ts";

/** What an action_config.json sets; `broken` where a key that decides the sequence cannot be understood. */
export type ParsedAction = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: Remark;
  readonly problems: readonly Remark[];
};

/** Understands an action's config: strict where a wrong value would change the sequence, tolerant elsewhere. */
export function parseActionConfig(value: Json): ParsedAction {
  const wrong = (broken: Remark): ParsedAction => ({ config: {}, broken, problems: [] });
  if (!isObject(value)) return wrong(notAnObject);
  const { name, workflow, order, next_action: next, auto_confirm: confirm, auto_progress: auto = confirm } = value;
  if (workflow !== undefined && typeof workflow !== "boolean") return wrong(wrongValue("workflow", "true or false"));
  if (next !== undefined && next !== null && typeof next !== "string")
    return wrong(wrongValue("next_action", "the name of an action, or null"));
  const place = placeOf(order);
  if (place === "wrong") return wrong(wrongValue("order", "a number, or null"));

  const given = typeof name === "string" ? asName(name) : "";
  const problems = [
    ...(name !== undefined && given === "" ? [ignoredValue("name", "a text; the folder's name is used")] : []),
    ...(typeof order === "string" ? [orderAsText(Number(order))] : []),
    ...(auto !== undefined && typeof auto !== "boolean" && auto !== "if_proved"
      ? [
          ignoredValue(
            value.auto_progress === undefined ? "auto_confirm" : "auto_progress",
            `true, false or "if_proved"; without it a person is asked`,
          ),
        ]
      : []),
  ];
  const config = {
    ...(given === "" ? {} : { name: given }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(place === undefined ? {} : { order: place }),
    ...(next === undefined ? {} : { next: next === null ? null : asName(next) }),
    ...(auto === undefined ? {} : { auto: auto === "if_proved" ? ("if_proved" as const) : auto === true }),
  };
  return { config, problems };
}

/** The remark on a document that is no object. */
export const notAnObject: Remark = {
  code: "wrong-type",
  message: "it must hold a JSON object",
  fix: "Write an object: { … }.",
};

function orderAsText(order: number): Remark {
  const remark = ignoredValue("order", "a number, not a text");
  return { ...remark, fix: "Write it without quotes.", mend: { at: ["order"], value: order } };
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
