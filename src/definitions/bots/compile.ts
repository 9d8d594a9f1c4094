import { dirname, join } from "node:path";
import { type Gate, hasRequirements, hasSettings } from "../../gates/gate.ts";
import { withRouting } from "../../gates/resolve-routing.ts";
import { withFresh } from "../../gates/sequence-checks.ts";
import { defined } from "../../kit/defined.ts";
import type { Step, Workflow } from "../../workflow/workflow.ts";
import { didYouMean } from "../files/near-miss.ts";
import { type JsonProblem, locateProblem } from "../loader-problem.ts";
import { actionStep, followNextActions } from "./action-chain.ts";
import { type EffectiveAction, effectiveActions, isUnconfigured } from "./effective-actions.ts";
import type { BehaviorFolder, BotTree, ListedAction, ReadGate } from "./tree.ts";

/** Compiles one behavior into its list of steps; an unknown part is marked broken or closed, never dropped. */
export function compileWorkflow(tree: BotTree, behavior: BehaviorFolder, readGate: ReadGate): Workflow {
  const { name, broken, actions: listed } = behavior;
  if (broken !== undefined) return { name, steps: [], closed: broken };
  const actions = effectiveActions(tree, behavior);
  const chain =
    listed === undefined
      ? followNextActions(tree.definitions, [...actions.values()])
      : { steps: listed.map((entry) => listedStep(tree, behavior, entry, actions)) };
  const gated = chain.steps.map((step): Step => {
    const gate = readGate(behavior, step.name);
    if (gate === undefined) return step;
    const routing = { ...gate.routing, ...step.routing };
    return { ...step, ...gateAndEdits(gate), ...(Object.keys(routing).length === 0 ? {} : { routing }) };
  });
  return { name, ...chain, steps: withRouting(withFresh(gated)) };
}

/** Splits a gate from its edits; a gate file with edits alone is not a gate. */
function gateAndEdits(gate: Gate): Pick<Step, "gate" | "edits"> {
  const { edits } = gate;
  const isGate = !hasSettings(gate) || gate.closed !== undefined || hasRequirements(gate);
  return { ...(isGate ? { gate } : {}), ...defined({ edits }) };
}

/** The names of the actions that run outside every sequence. */
export function independentActions(tree: BotTree): readonly string[] {
  const sequenced = new Set(tree.behaviors.flatMap(({ actions = [] }) => actions.map(({ name }) => name)));
  const independent = new Set(
    tree.behaviors.flatMap((behavior) => (behavior.independent ?? []).map(({ name }) => name)),
  );
  return tree.actions
    .filter(({ name, config }) => config?.workflow === false || (independent.has(name) && !sequenced.has(name)))
    .map(({ name }) => name);
}

function listedStep(
  tree: BotTree,
  { actionsFile }: BehaviorFolder,
  { name, skip, when, calls, instructions, at = [] }: ListedAction,
  actions: ReadonlyMap<string, EffectiveAction>,
): Step {
  const routing = defined({ when, calls });
  const passedOver = { ...defined({ skip }), ...(Object.keys(routing).length === 0 ? {} : { routing }) };
  const broken = (remark: JsonProblem): Step => {
    const path = actionsFile ?? join(dirname(tree.definitions.folder), tree.configFile);
    return { name, auto: false, broken: locateProblem(tree.definitions, path, { ...remark, at }), ...passedOver };
  };
  const action = actions.get(name);
  if (action === undefined || (action.stray && instructions === undefined))
    return broken({
      code: "unknown-listed-action",
      message: `the behavior lists the action ${name}, which does not exist${didYouMean(name, [...actions.keys()])}`,
      fix: "Name an existing action, or add it to base_actions.",
    });
  if (action.config?.workflow === false)
    return broken({
      code: "independent-action-listed",
      message: `${name} is independent (workflow: false) and cannot be part of a sequence`,
      fix: "Remove it from the list; an independent action can run at any time.",
    });
  return { ...(isUnconfigured(action) ? { name, auto: false } : actionStep(action)), ...passedOver };
}
