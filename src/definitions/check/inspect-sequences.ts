import { join } from "node:path";
import { actionConfigFile } from "../bots/action-config-file.ts";
import { danglingNext } from "../bots/chain.ts";
import { effectiveActions } from "../bots/effective-actions.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { definitionsOf } from "../bots/place.ts";
import type { Flaw } from "../problem.ts";
import type { Noted } from "./finding.ts";
import { isWalkedByOrder } from "./successors.ts";
import type { Survey } from "./survey.ts";

/** Reports actions that no behavior comes to. */
export function inspectSequences({ bots }: Survey): Noted[] {
  const usable = bots.filter(({ tree }) => tree.broken === undefined);
  const walked = new Set(usable.flatMap(walkedFolders));
  // What stands behind a closed sequence may well be reached once it is mended.
  const isOpen = usable.every(({ workflows }) => workflows.every(({ closed }) => closed === undefined));
  if (!isOpen) return [];
  return usable.flatMap(({ tree }) =>
    tree.actions
      .filter(({ folder, config }) => config?.workflow === true && !walked.has(folder))
      .map(({ name, folder }) => ({
        code: "unreachable-action",
        path: join(folder, actionConfigFile),
        line: 1,
        message: `no behavior comes to ${name}: every next_action and every list of actions passes it by`,
        fix: "Name it in a next_action or in a behavior's list, or set workflow to false.",
      })),
  );
}

/** Finds every next_action that names nothing; the loader itself stops at the first it walks into. */
export function findDangling({ tree }: LiveBot): readonly Flaw[] {
  return tree.behaviors.filter(isWalkedByOrder).flatMap((behavior) => {
    const actions = effectiveActions(tree, behavior);
    return [...actions.values()].flatMap((action) => {
      const next = action.config?.workflow === true ? action.config.next : null;
      if (next === undefined || next === null || actions.has(next)) return [];
      return [danglingNext(action, next, [...actions.keys()], definitionsOf(tree))];
    });
  });
}

function walkedFolders({ tree, workflows }: LiveBot): string[] {
  const names = new Set(workflows.flatMap(({ steps }) => steps.map(({ name }) => name)));
  return tree.actions.filter(({ name }) => names.has(name)).map(({ folder }) => folder);
}
