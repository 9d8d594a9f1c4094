import { isObject, type Json } from "../../workflow/json.ts";
import type { JsonPath } from "../json-place.ts";
import type { Remark } from "../problem.ts";
import { asName } from "./names.ts";
import type { ListedAction } from "./tree.ts";

/** A behavior's own sequence as its author wrote it; `broken` where it cannot be known what was meant. */
export type ParsedList = {
  readonly actions: readonly ListedAction[];
  readonly broken?: Remark;
  readonly problems: readonly Remark[];
};

/** Understands a list of actions: names, or objects with a name and perhaps the reason for skipping it. */
export function parseListedActions(value: Json, at: JsonPath): ParsedList {
  const broken = (message: string): ParsedList => ({ actions: [], broken: unusable(at, message), problems: [] });
  if (!Array.isArray(value)) return broken("actions must be a list of names");
  const actions = new Map<string, ListedAction>();
  const problems: Remark[] = [];
  for (const [index, entry] of value.entries()) {
    const place = [...at, index];
    const parsed = parseEntry(entry, place);
    if (parsed === undefined) return broken(`entry ${index + 1} of actions has no name`);
    const { name } = parsed.action;
    if (actions.has(name)) problems.push(listedTwice("duplicate-listed-action", name, place, entry));
    else actions.set(name, parsed.action);
    problems.push(...parsed.problems);
  }
  if (actions.size === 0) return broken("actions lists nothing");
  return { actions: [...actions.values()], problems };
}

const knownKeys = ["name", "skip", "reason", "description"];

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

function parseEntry(
  entry: Json,
  at: JsonPath,
): { readonly action: ListedAction; readonly problems: readonly Remark[] } | undefined {
  const written = isObject(entry) ? entry.name : entry;
  const name = typeof written === "string" ? asName(written) : "";
  if (name === "") return undefined;
  if (!isObject(entry)) return { action: { name, at }, problems: [] };
  const problems = Object.keys(entry)
    .filter((key) => !knownKeys.includes(key))
    .map((key) => stranger(key, name, at));
  const { skip = false, reason } = entry;
  if (typeof skip !== "boolean" && typeof skip !== "string") {
    return {
      action: { name, at },
      problems: [...problems, skipIs("wrong-type-ignored", `skip of ${name} must be a reason; it is not skipped`, at)],
    };
  }
  if (skip === false) return { action: { name, at }, problems };
  const why = [skip, reason].find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof why === "string") return { action: { name, at, skip: why.trim() }, problems };
  return {
    action: { name, at, skip: "no reason given" },
    problems: [...problems, skipIs("skip-without-reason", `skip of ${name} has no reason`, at)],
  };
}

function stranger(key: string, name: string, at: JsonPath): Remark {
  const message = `the key "${key}" of ${name} is not understood and changes nothing`;
  return { code: "unknown-key", at: [...at, key], message, fix: `Use ${knownKeys.join(", ")}, or delete the key.` };
}

function skipIs(code: "wrong-type-ignored" | "skip-without-reason", message: string, at: JsonPath): Remark {
  return { code, at: [...at, "skip"], message, fix: 'Say why: "skip": "the reason".' };
}
