import type { Gate } from "../../workflow/gate.ts";
import type { Step, Workflow } from "../../workflow/workflow.ts";
import { followNextActions, stepOf } from "./chain.ts";
import { type EffectiveAction, effectiveActions } from "./effective-actions.ts";
import { definitionsOf } from "./place.ts";
import type { BehaviorFolder, BotTree, ListedAction, ReadGate } from "./tree.ts";

/** Compiles one behavior into the plain list of its steps; what cannot be known is broken or closed, never left out. */
export function compileWorkflow(tree: BotTree, behavior: BehaviorFolder, readGate: ReadGate): Workflow {
  const { name, broken, actions: listed, actionsFile = tree.configFile } = behavior;
  if (broken !== undefined) return { name, steps: [], closed: broken };
  const actions = effectiveActions(tree, behavior);
  const chain =
    listed === undefined
      ? followNextActions([...actions.values()], definitionsOf(tree))
      : { steps: listed.map((entry) => listedStep(entry, actions.get(entry.name), actionsFile)) };
  return { name, ...chain, steps: chain.steps.map((step) => behindGate(step, readGate(behavior, step.name))) };
}

/** The names of the actions that run outside every sequence. */
export function independentActions(tree: BotTree): readonly string[] {
  return tree.actions.filter(({ config }) => config?.workflow === false).map(({ name }) => name);
}

function listedStep({ name, skip }: ListedAction, action: EffectiveAction | undefined, file: string): Step {
  const passedOver = skip === undefined ? {} : { skip };
  if (action === undefined || action.stray) {
    const broken = { file, message: `${name} is listed as an action of the behavior, but there is no such action` };
    return { name, auto: false, broken, ...passedOver };
  }
  if (action.config?.workflow === false) {
    const broken = { file, message: `${name} is independent (workflow: false) and cannot stand in a sequence` };
    return { name, auto: false, broken, ...passedOver };
  }
  return { ...stepOf(action), ...passedOver };
}

function behindGate(step: Step, gate: Gate | undefined): Step {
  return gate === undefined ? step : { ...step, gate };
}
