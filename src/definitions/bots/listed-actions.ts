import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import type { JsonPath } from "../json-place.ts";
import type { Remark } from "../problem.ts";
import { asName } from "./names.ts";
import type { FindAction } from "./overrides.ts";
import type { ListedAction } from "./tree.ts";

/** A behavior's own sequence as its author wrote it; `broken` where it cannot be known what was meant. */
export type ParsedList = {
  readonly actions: readonly ListedAction[];
  /** Actions that the behavior speaks of and that stand in no sequence. */
  readonly aside: readonly ListedAction[];
  readonly broken?: Remark;
  readonly problems: readonly Remark[];
};

/** Understands a list of actions, by their names or their folders': names, or objects with a name and what the behavior says of it. */
export function parseListedActions(value: Json, at: JsonPath, actionOf: FindAction): ParsedList {
  const broken = (message: string): ParsedList => ({
    actions: [],
    aside: [],
    broken: unusable(at, message),
    problems: [],
  });
  if (!Array.isArray(value)) return broken("actions must be a list of names");
  const actions = new Map<string, ListedAction>();
  const problems: Remark[] = [];
  for (const [index, entry] of value.entries()) {
    const place = [...at, index];
    const parsed = parseEntry(entry, place, actionOf);
    if (parsed === undefined) return broken(`entry ${index + 1} of actions has no name`);
    const { name } = parsed.action;
    if (actions.has(name)) problems.push(listedTwice("duplicate-listed-action", name, place, entry));
    else actions.set(name, parsed.action);
    problems.push(...parsed.problems);
  }
  if (actions.size === 0) return broken("actions lists nothing");
  return { actions: [...actions.values()], aside: [], problems };
}

/** Understands `actions_workflow`: the actions by their order; where some have one, those without stand in no sequence. */
export function parseActionsWorkflow(value: Json, at: JsonPath, actionOf: FindAction): ParsedList {
  const list = isObject(value) ? (value.actions ?? null) : value;
  const place = isObject(value) ? [...at, "actions"] : at;
  const parsed = parseListedActions(list, place, actionOf);
  if (!parsed.actions.some(({ order }) => order !== undefined)) return parsed;
  const actions = parsed.actions
    .filter(({ order }) => order !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const aside = parsed.actions.filter(({ order }) => order === undefined);
  return { ...parsed, actions, aside, problems: [...parsed.problems, ...otherWays(actions, actionOf)] };
}

/** The remark on a name that a list holds already; a bare name can be taken out. */
export function listedTwice(
  code: "duplicate-listed-action" | "duplicate-behavior",
  name: string,
  at: JsonPath,
  entry: Json,
): Remark {
  const message = `${name} is listed twice; its first place counts`;
  const remark: Remark = { code, at, message, fix: "Delete the second entry." };
  return typeof entry === "string" ? { ...remark, mend: { at } } : remark;
}

function unusable(at: JsonPath, message: string): Remark {
  return { code: "unusable-action-list", at, message, fix: "List the names of the actions, in order." };
}

const knownKeys = ["name", "skip", "reason", "description", "instructions", "order", "next_action"];

function parseEntry(
  entry: Json,
  at: JsonPath,
  actionOf: FindAction,
): { readonly action: ListedAction; readonly problems: readonly Remark[] } | undefined {
  const written = isObject(entry) ? entry.name : entry;
  const name = typeof written === "string" ? (actionOf(written) ?? asName(written)) : "";
  if (name === "") return undefined;
  if (!isObject(entry)) return { action: { name, at }, problems: [] };
  const problems = Object.keys(entry)
    .filter((key) => !knownKeys.includes(key))
    .map((key) => stranger(key, name, at));
  const { skip = false, reason, order, instructions, next_action: next } = entry;
  const action: ListedAction = {
    name,
    at,
    ...(typeof order === "number" ? { order } : {}),
    ...(instructions === undefined ? {} : { instructions }),
    ...(typeof next === "string" ? { next } : {}),
  };
  if (typeof skip !== "boolean" && typeof skip !== "string") {
    const remark = skipIs("wrong-type-ignored", `skip of ${name} must be a reason; it is not skipped`, at);
    return { action, problems: [...problems, remark] };
  }
  if (skip === false) return { action, problems };
  const why = [skip, reason].find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof why === "string") return { action: { ...action, skip: why.trim() }, problems };
  const remark = skipIs("skip-without-reason", `skip of ${name} has no reason`, at);
  return { action: { ...action, skip: "no reason given" }, problems: [...problems, remark] };
}

/** Where an entry names another successor than its order gives. */
function otherWays(actions: readonly ListedAction[], actionOf: FindAction): Remark[] {
  return actions.flatMap(({ name, next, at = [] }, index) => {
    const follows = actions[index + 1]?.name;
    if (next === undefined || (actionOf(next) ?? asName(next)) === follows) return [];
    const message = `next_action of ${name} is ${next}, and by order ${follows ?? "nothing"} follows; the order counts`;
    return [{ code: "wrong-type-ignored", at: [...at, "next_action"], message, fix: "Mend one of the two." }];
  });
}

function stranger(key: string, name: string, at: JsonPath): Remark {
  const message = `the key "${key}" of ${name} is not understood and changes nothing`;
  return { code: "unknown-key", at: [...at, key], message, fix: `Use ${knownKeys.join(", ")}, or delete the key.` };
}

function skipIs(code: "wrong-type-ignored" | "skip-without-reason", message: string, at: JsonPath): Remark {
  return { code, at: [...at, "skip"], message, fix: 'Say why: "skip": "the reason".' };
}

/** What a behavior's config says of its sequence: its own list, or a workflow of actions. */
export function sequenceIn(config: JsonObject, at: JsonPath, actionOf: FindAction): ParsedList | undefined {
  const { actions, actions_workflow: workflow } = config;
  if (actions !== undefined) return parseListedActions(actions, [...at, "actions"], actionOf);
  return workflow === undefined ? undefined : parseActionsWorkflow(workflow, [...at, "actions_workflow"], actionOf);
}
