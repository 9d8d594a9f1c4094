import { dirname, join } from "node:path";
import { withFresh } from "../../evidence/fresh-checks.ts";
import { type Gate, isAsking } from "../../evidence/gate.ts";
import type { Step, Workflow } from "../../workflow/workflow.ts";
import { didYouMean } from "../near-miss.ts";
import { flawIn, type Remark } from "../problem.ts";
import { followNextActions, stepOf } from "./chain.ts";
import { type EffectiveAction, effectiveActions, isUnconfigured } from "./effective-actions.ts";
import { definitionsOf } from "./place.ts";
import type { BehaviorFolder, BotTree, ListedAction, ReadGate } from "./tree.ts";

/** Compiles one behavior into the plain list of its steps; what cannot be known is broken or closed, never left out. */
export function compileWorkflow(tree: BotTree, behavior: BehaviorFolder, readGate: ReadGate): Workflow {
  const { name, broken, actions: listed } = behavior;
  if (broken !== undefined) return { name, steps: [], closed: broken };
  const actions = effectiveActions(tree, behavior);
  const chain =
    listed === undefined
      ? followNextActions([...actions.values()], definitionsOf(tree))
      : { steps: listed.map((entry) => listedStep(tree, behavior, entry, actions)) };
  const gated = chain.steps.map((step) => {
    const gate = readGate(behavior, step.name);
    return gate === undefined ? step : { ...step, ...gateAndEdits(gate) };
  });
  return { name, ...chain, steps: withFresh(gated) };
}

/** A gate file that only says what may be edited asks for nothing, and so is no gate. */
function gateAndEdits(gate: Gate): Pick<Step, "gate" | "edits"> {
  const { edits } = gate;
  const isGate = edits === undefined || gate.closed !== undefined || isAsking(gate);
  return { ...(isGate ? { gate } : {}), ...(edits === undefined ? {} : { edits }) };
}

/** The names of the actions that run outside every sequence. */
export function independentActions(tree: BotTree): readonly string[] {
  const sequenced = new Set(tree.behaviors.flatMap(({ actions = [] }) => actions.map(({ name }) => name)));
  const aside = new Set(tree.behaviors.flatMap((behavior) => (behavior.aside ?? []).map(({ name }) => name)));
  return tree.actions
    .filter(({ name, config }) => config?.workflow === false || (aside.has(name) && !sequenced.has(name)))
    .map(({ name }) => name);
}

function listedStep(
  tree: BotTree,
  { actionsFile }: BehaviorFolder,
  { name, skip, instructions, at = [] }: ListedAction,
  actions: ReadonlyMap<string, EffectiveAction>,
): Step {
  const passedOver = skip === undefined ? {} : { skip };
  const definitions = definitionsOf(tree);
  const broken = (remark: Remark): Step => {
    const path = actionsFile ?? join(dirname(definitions), tree.configFile);
    return { name, auto: false, broken: flawIn(definitions, path, { ...remark, at }), ...passedOver };
  };
  const action = actions.get(name);
  if (action === undefined || (action.stray && instructions === undefined))
    return broken({
      code: "unknown-listed-action",
      message: `${name} is listed as an action of the behavior, but there is no such action${didYouMean(name, [...actions.keys()])}`,
      fix: "Name an action that exists, or add it to base_actions.",
    });
  if (action.config?.workflow === false)
    return broken({
      code: "independent-action-listed",
      message: `${name} is independent (workflow: false) and cannot stand in a sequence`,
      fix: "Take it out of the list: an independent action can be run any time.",
    });
  return { ...(isUnconfigured(action) ? { name, auto: false } : stepOf(action)), ...passedOver };
}
