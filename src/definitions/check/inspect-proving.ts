import { join } from "node:path";
import type { Gate } from "../../evidence/gate.ts";
import { actionConfigFile } from "../bots/action-config-file.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { lineIn } from "../json-place.ts";
import { loadRules } from "../rules/load-rules.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports actions that go on by themselves where they are proved, and have nothing that could prove them. */
export function inspectProving({ bots }: Survey): Noted[] {
  return bots.flatMap(({ tree, workflows }) =>
    workflows.flatMap(({ name, steps }) =>
      steps.flatMap((step) => {
        const behavior = tree.behaviors.find((one) => one.name === name);
        const isMeant = step.auto === "if_proved" && step.skip === undefined && behavior !== undefined;
        return !isMeant || isProvable(tree, behavior, step.gate) ? [] : [noted(tree, behavior, step.name)];
      }),
    ),
  );
}

function isProvable(tree: BotTree, behavior: BehaviorFolder, gate: Gate | undefined): boolean {
  if (gate?.closed !== undefined || (gate?.checks ?? []).length > 0) return true;
  return gate?.rulesHold === true && loadRules(tree, behavior).rules.some(({ checks }) => checks.length > 0);
}

function noted(tree: BotTree, behavior: BehaviorFolder, action: string): Noted {
  const overrides = (behavior.overrides ?? []).filter(
    ({ name, config }) => name === action && config?.auto !== undefined,
  );
  const [{ folder } = { folder: tree.folder }] = [...overrides, ...tree.actions.filter(({ name }) => name === action)];
  const path = join(folder, actionConfigFile);
  return {
    code: "nothing-to-prove",
    path,
    line: lineIn(path, ["auto_progress"]),
    message: `${action} goes on by itself where it is proved, and nothing proves it in ${behavior.name}: a person is asked each time`,
    fix: "Give its gate checks (rules, a command, a file, git), or take auto_progress out.",
  };
}
