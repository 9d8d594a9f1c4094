import { join } from "node:path";
import { actionConfigFile } from "../../definitions/bots/action-config-file.ts";
import type { BehaviorFolder, BotTree } from "../../definitions/bots/tree.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { loadRules } from "../../definitions/rules/load-rules.ts";
import type { Gate } from "../../gates/gate.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports actions with `auto_progress: if_proved` that have nothing to prove them. */
export function inspectAutoProgress({ bots }: DefinitionsSurvey): ReportedFinding[] {
  return bots.flatMap(({ tree, workflows }) =>
    workflows.flatMap(({ name, steps }) =>
      steps.flatMap((step) => {
        const behavior = tree.behaviors.find((one) => one.name === name);
        const isMeant = step.auto === "if_proved" && step.skip === undefined && behavior !== undefined;
        return !isMeant || isProvable(tree, behavior, step.gate) ? [] : [nothingToProve(tree, behavior, step.name)];
      }),
    ),
  );
}

function isProvable(tree: BotTree, behavior: BehaviorFolder, gate: Gate | undefined): boolean {
  if (gate?.closed !== undefined || (gate?.checks ?? []).length > 0) return true;
  return gate?.rulesHold === true && loadRules(tree, behavior).rules.some(({ checks }) => checks.length > 0);
}

function nothingToProve(tree: BotTree, behavior: BehaviorFolder, action: string): ReportedFinding {
  const overrides = (behavior.overrides ?? []).filter(
    ({ name, config }) => name === action && config?.auto !== undefined,
  );
  const [{ folder } = { folder: tree.folder }] = [...overrides, ...tree.actions.filter(({ name }) => name === action)];
  const path = join(folder, actionConfigFile);
  return {
    code: "nothing-to-prove",
    path,
    line: lineOfPath(tree.definitions, path, ["auto_progress"]),
    message: `${action} proceeds automatically only if proved, but nothing proves it in ${behavior.name}, so a person is asked every time`,
    fix: "Add checks to its gate (rules, a command, a file, git), or remove auto_progress.",
  };
}
