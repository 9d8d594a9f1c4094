import { join } from "node:path";
import { type Flaw, flawIn } from "../problem.ts";
import { wholeConfig } from "./action-config.ts";
import { actionConfigFile } from "./action-config-file.ts";
import { definitionsOf } from "./place.ts";
import type { ActionConfig, ActionOverride, BehaviorFolder, BotTree } from "./tree.ts";

/** An action as one behavior has it. */
export type EffectiveAction = {
  readonly name: string;
  readonly config?: ActionConfig;
  readonly broken?: Flaw;
  readonly stray: boolean;
  /** The folder whose config says what follows it. */
  readonly folder: string;
};

/** The actions of a bot by name, as one behavior has them: its overrides merged over the base actions, and its own added. */
export function effectiveActions(tree: BotTree, behavior: BehaviorFolder): ReadonlyMap<string, EffectiveAction> {
  const actions = new Map<string, EffectiveAction>(tree.actions.map((action) => [action.name, action]));
  for (const override of behavior.overrides ?? []) {
    if (override.config !== undefined) actions.set(override.name, merge(tree, actions.get(override.name), override));
  }
  return actions;
}

/** An action's folder without a config: whoever lists it can use it. */
export function isUnconfigured({ broken, config }: Pick<EffectiveAction, "broken" | "config">): boolean {
  return config === undefined && broken?.code === "missing-action-config";
}

function merge(tree: BotTree, base: EffectiveAction | undefined, override: ActionOverride): EffectiveAction {
  const { name, folder, broken, config: own = {} } = override;
  if (base === undefined || base.stray) {
    return broken === undefined
      ? { name, folder, config: wholeConfig(name, own), stray: false }
      : { name, folder, broken, stray: false };
  }
  if (broken !== undefined) return { ...base, broken };
  if (isUnconfigured(base)) return { name, folder, config: wholeConfig(name, own), stray: false };
  if (base.config === undefined) return base;
  if (own.workflow !== undefined && own.workflow !== base.config.workflow) {
    const message = `workflow of ${name} is set by the base action; a behavior passes over it with skip and a reason in its list of actions`;
    const fix = "Delete the key, and skip the action with a reason in the behavior's list of actions.";
    const remark = { code: "override-sets-workflow", at: ["workflow"], message, fix } as const;
    return { ...base, broken: flawIn(definitionsOf(tree), join(folder, actionConfigFile), remark) };
  }
  return { ...base, config: { ...base.config, ...own }, folder: own.next === undefined ? base.folder : folder };
}
