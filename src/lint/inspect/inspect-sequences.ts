import { join } from "node:path";
import { missingNextAction } from "../../definitions/bots/action-chain.ts";
import { actionConfigFile } from "../../definitions/bots/action-config-file.ts";
import { effectiveActions } from "../../definitions/bots/effective-actions.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import type { LoaderProblem } from "../../definitions/loader-problem.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { followsActionOrder } from "../successors.ts";

/** Reports actions that no behavior reaches. */
export function inspectSequences({ bots }: DefinitionsSurvey): ReportedFinding[] {
  const usable = bots.filter(({ tree }) => tree.broken === undefined);
  const walked = new Set(usable.flatMap(walkedFolders));
  // An action behind a closed sequence may be reachable once that is fixed.
  const isOpen = usable.every(({ workflows }) => workflows.every(({ closed }) => closed === undefined));
  if (!isOpen) return [];
  return usable.flatMap(({ tree }) =>
    tree.actions
      .filter(({ folder, config }) => config?.workflow === true && !walked.has(folder))
      .map(({ name, folder }) => ({
        code: "unreachable-action",
        path: join(folder, actionConfigFile),
        line: 1,
        message: `no behavior reaches ${name}: no next_action and no list of actions names it`,
        fix: "Name it in a next_action or a behavior's list of actions, or set workflow to false.",
      })),
  );
}

/** Finds every next_action that names no action; the loader stops at the first one. */
export function findDangling({ tree }: LiveBot): readonly LoaderProblem[] {
  return tree.behaviors.filter(followsActionOrder).flatMap((behavior) => {
    const actions = effectiveActions(tree, behavior);
    return [...actions.values()].flatMap((action) => {
      const next = action.config?.workflow === true ? action.config.next : null;
      if (next === undefined || next === null || actions.has(next)) return [];
      return [missingNextAction(tree.definitions, action, next, [...actions.keys()])];
    });
  });
}

function walkedFolders({ tree, workflows }: LiveBot): string[] {
  const names = new Set(workflows.flatMap(({ steps }) => steps.map(({ name }) => name)));
  return tree.actions.filter(({ name }) => names.has(name)).map(({ folder }) => folder);
}
