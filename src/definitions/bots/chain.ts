import { join } from "node:path";
import type { Problem, Step } from "../../workflow/workflow.ts";
import { shownIn } from "../shown.ts";
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
    closed = next === undefined ? undefined : deadEnd(at, next, target, steps, definitions);
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
  return { name, auto: config?.auto === true };
}

type Sequenced = EffectiveAction & { readonly config: ActionConfig };

function isInSequence(action: EffectiveAction): action is Sequenced {
  return action.config?.workflow === true;
}

function byOrder(a: Sequenced, b: Sequenced): number {
  const [first, second] = [a.config.order ?? Number.POSITIVE_INFINITY, b.config.order ?? Number.POSITIVE_INFINITY];
  return first === second ? byName(a.name, b.name) : first - second;
}

function deadEnd(
  { name, folder }: EffectiveAction,
  next: string,
  target: EffectiveAction | undefined,
  steps: ReadonlyMap<string, Step>,
  definitions: string,
): Problem | undefined {
  const because = (what: string): Problem => ({
    file: shownIn(definitions, join(folder, actionConfigFile)),
    message: `next_action "${next}" of ${name} ${what}`,
  });
  if (target === undefined) return because("does not exist");
  if (steps.has(next)) return because("leads back to an earlier action");
  if (target.config?.workflow === false) return because("is an independent action (workflow: false)");
  return undefined;
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

function noAction(definitions: string): Problem {
  const file = shownIn(definitions, join(definitions, "base_actions"));
  return { file, message: "there is no workflow action with a readable config" };
}
