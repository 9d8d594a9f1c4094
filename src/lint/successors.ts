import { effectiveActions } from "../definitions/bots/effective-actions.ts";
import type { LiveBot } from "../definitions/bots/live-bot.ts";
import type { BehaviorFolder, BotTree } from "../definitions/bots/tree.ts";

/** True if `order` and `next_action` matter in a bot: some behavior has no list of its own. */
export function usesActionOrder(tree: BotTree): boolean {
  return tree.broken === undefined && tree.behaviors.some(followsActionOrder);
}

/** True if a behavior takes its sequence from the actions. */
export function followsActionOrder({ actions, broken }: BehaviorFolder): boolean {
  return actions === undefined && broken === undefined;
}

/** The action that follows one without a next_action: null for none, undefined if behaviors disagree or none reaches it. */
export function successorOf(folder: string, name: string, bots: readonly LiveBot[]): string | null | undefined {
  const found = new Set(bots.flatMap((bot) => successorsIn(bot, folder, name)));
  return found.size === 1 ? [...found][0] : undefined;
}

function successorsIn({ tree, workflows }: LiveBot, folder: string, name: string): (string | null)[] {
  if (!tree.actions.some((action) => action.folder === folder)) return [];
  return tree.behaviors.filter(followsActionOrder).flatMap((behavior) => {
    const steps = workflows.find((workflow) => workflow.name === behavior.name)?.steps ?? [];
    const index = steps.findIndex((step) => step.name === name);
    const saysNothing = effectiveActions(tree, behavior).get(name)?.config?.next === undefined;
    return index === -1 || !saysNothing ? [] : [steps[index + 1]?.name ?? null];
  });
}
