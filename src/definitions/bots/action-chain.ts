import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Problem } from "../../gates/problem.ts";
import type { Step } from "../../workflow/workflow.ts";
import { didYouMean } from "../files/near-miss.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { actionConfigFile } from "./action-config-file.ts";
import { compareNames } from "./definition-names.ts";
import type { EffectiveAction } from "./effective-actions.ts";
import type { ActionConfig } from "./tree.ts";

/** The steps of a sequence; `closed` if what follows them is unknown. */
export type ActionChain = { readonly steps: readonly Step[]; readonly closed?: Problem };

/** Follows each `next_action` from the first action by order; a missing one means the next by order. */
export function followNextActions(definitions: DefinitionSnapshot, actions: readonly EffectiveAction[]): ActionChain {
  const sorted = actions.filter(isInSequence).sort(byOrder);
  const named = new Map(actions.map((action) => [action.name, action]));
  const steps = new Map<string, Step>();
  let closed = sorted.length === 0 ? noAction(definitions) : undefined;
  let at = sorted[0];
  while (at !== undefined) {
    steps.set(at.name, actionStep(at));
    const later = sorted.slice(sorted.indexOf(at) + 1).filter(({ name }) => !steps.has(name));
    const { next } = at.config;
    if (next === null) break;
    const target: EffectiveAction | undefined = next === undefined ? later[0] : named.get(next);
    closed =
      next === undefined
        ? undefined
        : wrongSuccessor(definitions, at, next, { target, steps, names: [...named.keys()] });
    if (closed !== undefined || target === undefined) break;
    if (!isInSequence(target)) steps.set(target.name, actionStep(target));
    at = isInSequence(target) ? target : later[0];
  }
  const walked = { steps: [...unreachedBrokenSteps(actions, steps, closed), ...steps.values()] };
  return closed === undefined ? walked : { ...walked, closed };
}

/** Turns an action into a step; a broken one never proceeds automatically. */
export function actionStep({ name, config, broken }: EffectiveAction): Step {
  if (broken !== undefined) return { name, auto: false, broken };
  return { name, auto: config?.auto ?? false };
}

type Sequenced = EffectiveAction & { readonly config: ActionConfig };

function isInSequence(action: EffectiveAction): action is Sequenced {
  return action.config?.workflow === true;
}

function byOrder(a: Sequenced, b: Sequenced): number {
  const [first, second] = [a.config.order ?? Number.POSITIVE_INFINITY, b.config.order ?? Number.POSITIVE_INFINITY];
  return first === second ? compareNames(a.name, b.name) : first - second;
}

type SuccessorContext = {
  readonly target: EffectiveAction | undefined;
  readonly steps: ReadonlyMap<string, Step>;
  readonly names: readonly string[];
};

function wrongSuccessor(
  definitions: DefinitionSnapshot,
  from: EffectiveAction,
  next: string,
  { target, steps, names }: SuccessorContext,
): LoaderProblem | undefined {
  if (target === undefined) return missingNextAction(definitions, from, next, names);
  if (steps.has(next)) {
    const fix = "Name a later action, or use null for the last one.";
    return nextFlaw(definitions, from, next, "cyclic-next-action", "leads back to an earlier action", fix);
  }
  if (target.config?.workflow !== false) return undefined;
  const what = "is an independent action (workflow: false)";
  return nextFlaw(definitions, from, next, "next-action-is-independent", what, "Name an action in the sequence.");
}

/** The problem of an action whose `next_action` does not exist. */
export function missingNextAction(
  definitions: DefinitionSnapshot,
  from: EffectiveAction,
  next: string,
  names: readonly string[],
): LoaderProblem {
  const what = `does not exist${didYouMean(next, names)}`;
  return nextFlaw(definitions, from, next, "dangling-next-action", what, "Name an existing action, or use null.");
}

function nextFlaw(
  definitions: DefinitionSnapshot,
  { name, folder }: EffectiveAction,
  next: string,
  code: LoaderProblem["code"],
  what: string,
  fix: string,
): LoaderProblem {
  const message = `next_action "${next}" of ${name} ${what}`;
  return locateProblem(definitions, join(folder, actionConfigFile), { code, at: ["next_action"], message, fix });
}

/** The broken actions that nothing leads to, put first because the sequence might start with one. */
function unreachedBrokenSteps(
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
    .sort((a, b) => compareNames(a.name, b.name))
    .map((action) => ({ ...actionStep(action), adrift: true }));
}

function noAction(definitions: DefinitionSnapshot): LoaderProblem {
  const message = "no action with workflow: true has a readable config";
  const fix = "Add an action with workflow: true.";
  return locateProblem(definitions, join(definitions.folder, "base_actions"), { code: "no-actions", message, fix });
}
