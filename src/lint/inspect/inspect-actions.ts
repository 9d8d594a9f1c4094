import { basename, join } from "node:path";
import { parseActionConfig } from "../../definitions/bots/action-config.ts";
import { actionConfigFile } from "../../definitions/bots/action-config-file.ts";
import { normalizeName } from "../../definitions/bots/definition-names.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import type { ActionFolder } from "../../definitions/bots/tree.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueIn } from "../../definitions/files/json-value.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject } from "../../kit/json.ts";
import type { DefinitionsSurvey, Folder } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { successorOf, usesActionOrder } from "../successors.ts";

/** Reports untidy action configs: names, orders, and keys that an independent action must not have. */
export function inspectActions(survey: DefinitionsSurvey): ReportedFinding[] {
  const { actionFolders, bots } = survey;
  return [
    ...actionFolders.flatMap((one) => inspectConfig(survey.definitions, one)),
    ...actionFolders.flatMap((folder) => strayFolder(folder, bots)),
    ...withoutPosition(survey),
    ...bots.filter(({ tree }) => usesActionOrder(tree)).flatMap((one) => orderGaps(one)),
  ];
}

function inspectConfig(definitions: DefinitionSnapshot, { path: folder, files }: Folder): ReportedFinding[] {
  if (!files.includes(actionConfigFile)) return [];
  const path = join(folder, actionConfigFile);
  const value = valueIn(definitions, path);
  if (!isObject(value)) return [];
  const { name, workflow, order = null, next_action: next = null } = value;
  const noted: ReportedFinding[] = [];
  if (
    typeof name === "string" &&
    normalizeName(name) !== "" &&
    normalizeName(name) !== normalizeName(basename(folder))
  ) {
    const message = `the action is named ${normalizeName(name)}, but its folder is ${basename(folder)}`;
    const fix = "Rename the folder to match the action.";
    noted.push({ code: "name-differs-from-folder", path, line: lineOfPath(definitions, path, ["name"]), message, fix });
  }
  // A fix must not change what the bot does, so a closed action is never opened by one.
  const isClosed = parseActionConfig(value).broken !== undefined;
  const independent = (code: ReportedFinding["code"], key: string): ReportedFinding => ({
    code,
    path,
    line: lineOfPath(definitions, path, [key]),
    message: `${key} has no effect in an independent action (workflow: false)`,
    fix: `Set ${key} to null.`,
    ...(isClosed ? {} : { edit: { at: [key], value: null } }),
  });
  if (workflow === false && order !== null) noted.push(independent("independent-with-order", "order"));
  if (workflow === false && next !== null) noted.push(independent("independent-with-next-action", "next_action"));
  return noted;
}

/** Reports a folder among the actions that has no config, instructions or gate. */
function strayFolder({ path }: Folder, bots: readonly LiveBot[]): ReportedFinding[] {
  const isStray = bots.some(({ tree }) => tree.actions.some(({ folder, stray }) => stray && folder === path));
  if (!isStray) return [];
  const message = "the folder has no action_config.json and no instructions, so it is not an action";
  return [
    { code: "stray-folder", path, line: 1, message, fix: "Add an action_config.json, or move the folder elsewhere." },
  ];
}

/** Reports actions that leave their position to the loader; it matters only for behaviors without their own list. */
function withoutPosition({ definitions, bots }: DefinitionsSurvey): ReportedFinding[] {
  return bots
    .filter(({ tree }) => usesActionOrder(tree))
    .flatMap((bot) => bot.tree.actions.flatMap((action) => missingPosition(definitions, action, bots)));
}

function missingPosition(
  definitions: DefinitionSnapshot,
  action: ActionFolder,
  bots: readonly LiveBot[],
): ReportedFinding[] {
  const { name, folder, config } = action;
  if (config === undefined || !config.workflow) return [];
  const path = join(folder, actionConfigFile);
  const message = `${name} has no order, so it runs after all actions that have one`;
  const fix = "Add an order.";
  return [
    ...(config.order !== null
      ? []
      : [{ code: "missing-order", path, line: lineOfPath(definitions, path, ["order"]), message, fix } as const]),
    ...(config.next !== undefined ? [] : [missingNext(path, successorOf(folder, name, bots))]),
  ];
}

function missingNext(path: string, next: string | null | undefined): ReportedFinding {
  const noted = { code: "missing-next-action", path, line: 1 } as const;
  const message = "next_action is missing, so the next action by order follows";
  if (next === undefined)
    return { ...noted, message, fix: "Set next_action to the next action, or to null if this is the last one." };
  const written = JSON.stringify(next);
  return {
    ...noted,
    message: `${message}: ${next ?? "nothing"}`,
    fix: `Add "next_action": ${written}.`,
    edit: { at: ["next_action"], value: next },
  };
}

function orderGaps({ tree }: LiveBot): ReportedFinding[] {
  if (tree.actions.some(({ broken, stray }) => broken !== undefined && !stray)) return [];
  const placed = tree.actions
    .flatMap(({ name, folder, config }) =>
      config?.workflow && config.order !== null ? [{ name, folder, order: config.order }] : [],
    )
    .sort((a, b) => a.order - b.order);
  const steps = placed.map(({ order }, index) => order - (placed[index - 1]?.order ?? order)).slice(1);
  // Even steps such as 10, 20, 30 leave room on purpose.
  if (steps.length > 1 && new Set(steps).size === 1) return [];
  return placed.flatMap(({ name, folder, order }, index) => {
    const before = placed[index - 1];
    if (before === undefined || order - before.order <= 1) return [];
    const path = join(folder, actionConfigFile);
    const message = `the order jumps from ${before.order} (${before.name}) to ${order} (${name})`;
    return [
      {
        code: "order-gap",
        path,
        line: lineOfPath(tree.definitions, path, ["order"]),
        message,
        fix: "Number the actions without gaps.",
      },
    ];
  });
}
