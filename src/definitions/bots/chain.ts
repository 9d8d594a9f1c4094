import { join } from "node:path";
import type { Problem } from "../../evidence/problem.ts";
import type { Step } from "../../workflow/workflow.ts";
import { didYouMean } from "../near-miss.ts";
import { type Flaw, flawIn } from "../problem.ts";
import { actionConfigFile } from "./action-config-file.ts";
import type { EffectiveAction } from "./effective-actions.ts";
import { byName } from "./names.ts";
import type { ActionConfig } from "./tree.ts";

/** Steps in sequence; what would follow them may be unknowable. */
export type Chain = { readonly steps: readonly Step[]; readonly closed?: Problem };

/** Walks from the first action by order along each `next_action`; a missing one means the next by order. */
export function followNextActions(actions: readonly EffectiveAction[], definitions: string): Chain {
  const sorted = actions.filter(isInSequence).sort(byOrder);
  const named = new Map(actions.map((action) => [action.name, action]));
  const steps = new Map<string, Step>();
  let closed = sorted.length === 0 ? noAction(definitions) : undefined;
  let at = sorted[0];
  while (at !== undefined) {
    steps.set(at.name, stepOf(at));
    const later = sorted.slice(sorted.indexOf(at) + 1).filter(({ name }) => !steps.has(name));
    const { next } = at.config;
    if (next === null) break;
    const target: EffectiveAction | undefined = next === undefined ? later[0] : named.get(next);
    closed =
      next === undefined ? undefined : deadEnd(at, next, { target, steps, names: [...named.keys()], definitions });
    if (closed !== undefined || target === undefined) break;
    if (!isInSequence(target)) steps.set(target.name, stepOf(target));
    at = isInSequence(target) ? target : later[0];
  }
  const walked = { steps: [...adriftSteps(actions, steps, closed), ...steps.values()] };
  return closed === undefined ? walked : { ...walked, closed };
}

/** An action as a step; one that is broken never goes on by itself. */
export function stepOf({ name, config, broken }: EffectiveAction): Step {
  if (broken !== undefined) return { name, auto: false, broken };
  return { name, auto: config?.auto ?? false };
}

type Sequenced = EffectiveAction & { readonly config: ActionConfig };

function isInSequence(action: EffectiveAction): action is Sequenced {
  return action.config?.workflow === true;
}

function byOrder(a: Sequenced, b: Sequenced): number {
  const [first, second] = [a.config.order ?? Number.POSITIVE_INFINITY, b.config.order ?? Number.POSITIVE_INFINITY];
  return first === second ? byName(a.name, b.name) : first - second;
}

type WayOn = {
  readonly target: EffectiveAction | undefined;
  readonly steps: ReadonlyMap<string, Step>;
  readonly names: readonly string[];
  readonly definitions: string;
};

function deadEnd(from: EffectiveAction, next: string, way: WayOn): Flaw | undefined {
  const { target, steps, names, definitions } = way;
  if (target === undefined) return danglingNext(from, next, names, definitions);
  if (steps.has(next)) {
    const fix = "Name an action that comes later, or null on the last.";
    return nextFlaw(from, next, definitions, "cyclic-next-action", "leads back to an earlier action", fix);
  }
  if (target.config?.workflow !== false) return undefined;
  const what = "is an independent action (workflow: false)";
  return nextFlaw(from, next, definitions, "next-action-is-independent", what, "Name an action of the sequence.");
}

/** What is wrong with an action whose `next_action` names nothing. */
export function danglingNext(from: EffectiveAction, next: string, names: readonly string[], definitions: string): Flaw {
  const what = `does not exist${didYouMean(next, names)}`;
  return nextFlaw(from, next, definitions, "dangling-next-action", what, "Name an action that exists, or null.");
}

function nextFlaw(
  { name, folder }: EffectiveAction,
  next: string,
  definitions: string,
  code: Flaw["code"],
  what: string,
  fix: string,
): Flaw {
  const message = `next_action "${next}" of ${name} ${what}`;
  return flawIn(definitions, join(folder, actionConfigFile), { code, at: ["next_action"], message, fix });
}

/** Broken actions that nothing leads to: perhaps the first, so they stand there, and nothing begins past them unseen. */
function adriftSteps(
  actions: readonly EffectiveAction[],
  steps: ReadonlyMap<string, Step>,
  closed: Problem | undefined,
): Step[] {
  const led = new Set(actions.map(({ config }) => config?.next));
  return actions
    .filter(
      ({ name, config, broken, stray }) => broken !== undefined && config === undefined && !stray && !steps.has(name),
    )
    .filter(({ name }) => closed === undefined || !led.has(name))
    .sort((a, b) => byName(a.name, b.name))
    .map((action) => ({ ...stepOf(action), adrift: true }));
}

function noAction(definitions: string): Flaw {
  const message = "there is no workflow action with a readable config";
  const fix = "Add an action with workflow: true.";
  return flawIn(definitions, join(definitions, "base_actions"), { code: "no-actions", message, fix });
}
