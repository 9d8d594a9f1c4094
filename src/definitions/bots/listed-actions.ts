import { isObject, type Json } from "../../workflow/json.ts";
import { asName } from "./names.ts";
import type { ListedAction } from "./tree.ts";

/** A behavior's own sequence as its author wrote it; `broken` where it cannot be known what was meant. */
export type ParsedList = {
  readonly actions: readonly ListedAction[];
  readonly broken?: string;
  readonly problems: readonly string[];
};

/** Understands a list of actions: names, or objects with a name and perhaps the reason for skipping it. */
export function parseListedActions(value: Json): ParsedList {
  const broken = (message: string): ParsedList => ({ actions: [], broken: message, problems: [] });
  if (!Array.isArray(value)) return broken("actions must be a list of names");
  const actions = new Map<string, ListedAction>();
  const problems: string[] = [];
  for (const [index, entry] of value.entries()) {
    const parsed = parseEntry(entry);
    if (parsed === undefined) return broken(`entry ${index + 1} of actions has no name`);
    const { name } = parsed.action;
    if (actions.has(name)) problems.push(`${name} is listed twice; its first place counts`);
    else actions.set(name, parsed.action);
    problems.push(...parsed.problems);
  }
  if (actions.size === 0) return broken("actions lists nothing");
  return { actions: [...actions.values()], problems };
}

const knownKeys = ["name", "skip", "reason", "description"];

function parseEntry(entry: Json): { readonly action: ListedAction; readonly problems: readonly string[] } | undefined {
  const written = isObject(entry) ? entry.name : entry;
  const name = typeof written === "string" ? asName(written) : "";
  if (name === "") return undefined;
  if (!isObject(entry)) return { action: { name }, problems: [] };
  const problems = Object.keys(entry)
    .filter((key) => !knownKeys.includes(key))
    .map((key) => `the key "${key}" of ${name} is not understood and changes nothing`);
  const { skip = false, reason } = entry;
  if (typeof skip !== "boolean" && typeof skip !== "string") {
    return { action: { name }, problems: [...problems, `skip of ${name} must be a reason; it is not skipped`] };
  }
  if (skip === false) return { action: { name }, problems };
  const why = [skip, reason].find((text) => typeof text === "string" && text.trim() !== "");
  if (typeof why === "string") return { action: { name, skip: why.trim() }, problems };
  return { action: { name, skip: "no reason given" }, problems: [...problems, `skip of ${name} has no reason`] };
}
