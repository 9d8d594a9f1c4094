import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { JsonPath } from "../files/json-locations.ts";
import { callKeys, readCalls } from "../gates/read-calls.ts";
import { readCondition } from "../gates/read-condition.ts";
import type { JsonProblem } from "../loader-problem.ts";
import { normalizeName } from "./definition-names.ts";
import type { FindAction } from "./overrides.ts";
import type { ListedAction } from "./tree.ts";

/** A behavior's own sequence as written; `broken` if it cannot be understood. */
export type ParsedActionList = {
  readonly actions: readonly ListedAction[];
  /** Actions that the behavior configures outside its sequence. */
  readonly independent: readonly ListedAction[];
  readonly broken?: JsonProblem;
  readonly problems: readonly JsonProblem[];
};

/** Parses a list of actions: names, or objects with a name and settings. */
export function parseListedActions(value: Json, at: JsonPath, actionOf: FindAction): ParsedActionList {
  const broken = (message: string): ParsedActionList => ({
    actions: [],
    independent: [],
    broken: unusable(at, message),
    problems: [],
  });
  if (!Array.isArray(value)) return broken("actions must be a list of names");
  const actions = new Map<string, ListedAction>();
  const problems: JsonProblem[] = [];
  for (const [index, entry] of value.entries()) {
    const place = [...at, index];
    const parsed = parseEntry(entry, place, actionOf);
    if (parsed === undefined) return broken(`entry ${index + 1} of actions has no name`);
    if (parsed.unusable !== undefined) return broken(`${parsed.action.name}: ${parsed.unusable}`);
    const { name } = parsed.action;
    if (actions.has(name)) problems.push(listedTwice("duplicate-listed-action", name, place, entry));
    else actions.set(name, parsed.action);
    problems.push(...parsed.problems);
  }
  if (actions.size === 0) return broken("actions is empty");
  return { actions: [...actions.values()], independent: [], problems };
}

/** Parses `actions_workflow`, sorted by order; if some entries have one, the others are outside the sequence. */
export function parseActionsWorkflow(value: Json, at: JsonPath, actionOf: FindAction): ParsedActionList {
  const list = isObject(value) ? (value.actions ?? null) : value;
  const place = isObject(value) ? [...at, "actions"] : at;
  const parsed = parseListedActions(list, place, actionOf);
  if (!parsed.actions.some(({ order }) => order !== undefined)) return parsed;
  const actions = parsed.actions
    .filter(({ order }) => order !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const independent = parsed.actions.filter(({ order }) => order === undefined);
  return {
    ...parsed,
    actions,
    independent,
    problems: [...parsed.problems, ...conflictingSuccessors(actions, actionOf)],
  };
}

/** The remark about a repeated name in a list; a bare name can be removed. */
export function listedTwice(
  code: "duplicate-listed-action" | "duplicate-behavior",
  name: string,
  at: JsonPath,
  entry: Json,
): JsonProblem {
  const message = `${name} is listed twice; the first entry counts`;
  const remark: JsonProblem = { code, at, message, fix: "Delete the second entry." };
  return typeof entry === "string" ? { ...remark, edit: { at } } : remark;
}

function unusable(at: JsonPath, message: string): JsonProblem {
  return { code: "unusable-action-list", at, message, fix: "List the names of the actions, in order." };
}

const knownKeys = [
  "name",
  "when",
  ...callKeys,
  "skip",
  "reason",
  "description",
  "instructions",
  "order",
  "next_action",
];

function parseEntry(
  entry: Json,
  at: JsonPath,
  actionOf: FindAction,
):
  | { readonly action: ListedAction; readonly problems: readonly JsonProblem[]; readonly unusable?: string }
  | undefined {
  const written = isObject(entry) ? entry.name : entry;
  const name = typeof written === "string" ? (actionOf(written) ?? normalizeName(written)) : "";
  if (name === "") return undefined;
  if (!isObject(entry)) return { action: { name, at }, problems: [] };
  const problems = Object.keys(entry)
    .filter((key) => !knownKeys.includes(key))
    .map((key) => unknownKey(key, name, at));
  const { skip = false, when, reason, order, instructions, next_action: next } = entry;
  const condition = when === undefined ? undefined : readCondition(when);
  if (condition !== undefined && "unusable" in condition)
    return { action: { name, at }, problems, unusable: `when: ${condition.unusable}` };
  const wrong: string[] = [];
  const calls = readCalls(entry, (_, message) => wrong.push(message));
  if (wrong[0] !== undefined) return { action: { name, at }, problems, unusable: wrong[0] };
  const action: ListedAction = {
    name,
    at,
    ...(typeof order === "number" ? { order } : {}),
    ...defined({ instructions, when: condition?.condition, calls }),
    ...(typeof next === "string" ? { next } : {}),
  };
  if (typeof skip !== "boolean" && typeof skip !== "string") {
    const remark = skipProblem(
      "wrong-type-ignored",
      `skip of ${name} must be a reason, so the action is not skipped`,
      at,
    );
    return { action, problems: [...problems, remark] };
  }
  if (skip === false) return { action, problems };
  const why = [skip, reason].find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof why === "string") return { action: { ...action, skip: why.trim() }, problems };
  const remark = skipProblem("skip-without-reason", `skip of ${name} has no reason`, at);
  return { action: { ...action, skip: "no reason given" }, problems: [...problems, remark] };
}

/** Reports entries whose next_action differs from the order. */
function conflictingSuccessors(actions: readonly ListedAction[], actionOf: FindAction): JsonProblem[] {
  return actions.flatMap(({ name, next, at = [] }, index) => {
    const follows = actions[index + 1]?.name;
    if (next === undefined || (actionOf(next) ?? normalizeName(next)) === follows) return [];
    const message = `next_action of ${name} is ${next}, but by order ${follows ?? "nothing"} follows; the order counts`;
    return [{ code: "wrong-type-ignored", at: [...at, "next_action"], message, fix: "Fix one of them." }];
  });
}

function unknownKey(key: string, name: string, at: JsonPath): JsonProblem {
  const message = `the key "${key}" of ${name} is unknown and ignored`;
  return { code: "unknown-key", at: [...at, key], message, fix: `Use ${knownKeys.join(", ")}, or delete the key.` };
}

function skipProblem(code: "wrong-type-ignored" | "skip-without-reason", message: string, at: JsonPath): JsonProblem {
  return { code, at: [...at, "skip"], message, fix: 'Add a reason: "skip": "the reason".' };
}

/** The sequence in a behavior's config: its own list or a workflow of actions. */
export function sequenceIn(config: JsonObject, at: JsonPath, actionOf: FindAction): ParsedActionList | undefined {
  const { actions, actions_workflow: workflow } = config;
  if (actions !== undefined) return parseListedActions(actions, [...at, "actions"], actionOf);
  return workflow === undefined ? undefined : parseActionsWorkflow(workflow, [...at, "actions_workflow"], actionOf);
}
