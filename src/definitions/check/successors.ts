import { effectiveActions } from "../bots/effective-actions.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";

/** Tells whether `order` and `next_action` decide anything in a bot: not where every behavior lists its own actions. */
export function walksByOrder(tree: BotTree): boolean {
  return tree.broken === undefined && tree.behaviors.some(isWalkedByOrder);
}

/** Tells whether a behavior takes its sequence from the actions. */
export function isWalkedByOrder({ actions, broken }: BehaviorFolder): boolean {
  return actions === undefined && broken === undefined;
}

/** What follows an action that does not say so itself, null for nothing; undefined where no behavior walks it, or two go on differently. */
export function successorOf(folder: string, name: string, bots: readonly LiveBot[]): string | null | undefined {
  const found = new Set(bots.flatMap((bot) => successorsIn(bot, folder, name)));
  return found.size === 1 ? [...found][0] : undefined;
}

function successorsIn({ tree, workflows }: LiveBot, folder: string, name: string): (string | null)[] {
  if (!tree.actions.some((action) => action.folder === folder)) return [];
  return tree.behaviors.filter(isWalkedByOrder).flatMap((behavior) => {
    const steps = workflows.find((workflow) => workflow.name === behavior.name)?.steps ?? [];
    const index = steps.findIndex((step) => step.name === name);
    const saysNothing = effectiveActions(tree, behavior).get(name)?.config?.next === undefined;
    return index === -1 || !saysNothing ? [] : [steps[index + 1]?.name ?? null];
  });
}
