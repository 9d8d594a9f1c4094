import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { withDefaults } from "./action-config.ts";
import { actionConfigFile } from "./action-config-file.ts";
import type { ActionConfig, ActionOverride, BehaviorFolder, BotTree } from "./tree.ts";

/** An action as one behavior has it. */
export type EffectiveAction = {
  readonly name: string;
  readonly config?: ActionConfig;
  readonly broken?: LoaderProblem;
  readonly stray: boolean;
  /** The folder whose config names its successor. */
  readonly folder: string;
};

/** The actions of a behavior by name: base actions with its overrides, and its own. */
export function effectiveActions(tree: BotTree, behavior: BehaviorFolder): ReadonlyMap<string, EffectiveAction> {
  const actions = new Map<string, EffectiveAction>(tree.actions.map((action) => [action.name, action]));
  for (const override of behavior.overrides ?? []) {
    if (override.config !== undefined)
      actions.set(override.name, merge(tree.definitions, actions.get(override.name), override));
  }
  return actions;
}

/** True for an action's folder without a config, which a list may still name. */
export function isUnconfigured({ broken, config }: Pick<EffectiveAction, "broken" | "config">): boolean {
  return config === undefined && broken?.code === "missing-action-config";
}

function merge(
  definitions: DefinitionSnapshot,
  base: EffectiveAction | undefined,
  override: ActionOverride,
): EffectiveAction {
  const { name, folder, broken, config: own = {} } = override;
  if (base === undefined || base.stray) {
    return broken === undefined
      ? { name, folder, config: withDefaults(name, own), stray: false }
      : { name, folder, broken, stray: false };
  }
  if (broken !== undefined) return { ...base, broken };
  if (isUnconfigured(base)) return { name, folder, config: withDefaults(name, own), stray: false };
  if (base.config === undefined) return base;
  if (own.workflow !== undefined && own.workflow !== base.config.workflow) {
    const message = `a behavior cannot change workflow of ${name}; its list of actions can skip it with a reason`;
    const fix = "Delete the key, and skip the action with a reason in the behavior's list of actions.";
    const remark = { code: "override-sets-workflow", at: ["workflow"], message, fix } as const;
    return { ...base, broken: locateProblem(definitions, join(folder, actionConfigFile), remark) };
  }
  return { ...base, config: { ...base.config, ...own }, folder: own.next === undefined ? base.folder : folder };
}
