import { basename, join } from "node:path";
import { isObject } from "../../evidence/json.ts";
import { parseActionConfig } from "../bots/action-config.ts";
import { actionConfigFile } from "../bots/action-config-file.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { asName } from "../bots/names.ts";
import type { ActionFolder } from "../bots/tree.ts";
import { lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import type { Noted } from "./finding.ts";
import { successorOf, walksByOrder } from "./successors.ts";
import type { Folder, Survey } from "./survey.ts";

/** Reports what is untidy in the actions themselves: names, orders, and what an independent action must not have. */
export function inspectActions(survey: Survey): Noted[] {
  const { actionFolders, bots } = survey;
  return [
    ...actionFolders.flatMap(inspectConfig),
    ...actionFolders.flatMap((folder) => strayFolder(folder, bots)),
    ...unsequenced(survey),
    ...bots.filter(({ tree }) => walksByOrder(tree)).flatMap(orderGaps),
  ];
}

function inspectConfig({ path: folder, files }: Folder): Noted[] {
  if (!files.includes(actionConfigFile)) return [];
  const path = join(folder, actionConfigFile);
  const value = valueIn(path);
  if (!isObject(value)) return [];
  const { name, workflow, order = null, next_action: next = null } = value;
  const noted: Noted[] = [];
  if (typeof name === "string" && asName(name) !== "" && asName(name) !== asName(basename(folder))) {
    const message = `the action is ${asName(name)}, its folder ${basename(folder)}`;
    const fix = "Name the folder as the action.";
    noted.push({ code: "name-differs-from-folder", path, line: lineIn(path, ["name"]), message, fix });
  }
  // A value that closes the action is not set right unasked: mending must not change what the bot does.
  const isClosed = parseActionConfig(value).broken !== undefined;
  const independent = (code: Noted["code"], key: string): Noted => ({
    code,
    path,
    line: lineIn(path, [key]),
    message: `${key} means nothing in an independent action (workflow: false)`,
    fix: `Set ${key} to null.`,
    ...(isClosed ? {} : { mend: { at: [key], value: null } }),
  });
  if (workflow === false && order !== null) noted.push(independent("independent-with-order", "order"));
  if (workflow === false && next !== null) noted.push(independent("independent-with-next-action", "next_action"));
  return noted;
}

/** A folder among the actions that holds neither config nor instructions nor gate. */
function strayFolder({ path }: Folder, bots: readonly LiveBot[]): Noted[] {
  const isStray = bots.some(({ tree }) => tree.actions.some(({ folder, stray }) => stray && folder === path));
  if (!isStray) return [];
  const message = "the folder holds neither action_config.json nor instructions and is no action";
  return [{ code: "stray-folder", path, line: 1, message, fix: "Add an action_config.json, or move the folder away." }];
}

/** Actions whose place in a sequence is left to the loader; it matters only where a behavior has no list of its own. */
function unsequenced({ bots }: Survey): Noted[] {
  return bots
    .filter(({ tree }) => walksByOrder(tree))
    .flatMap((bot) => bot.tree.actions.flatMap((action) => placeOf(action, bots)));
}

function placeOf(action: ActionFolder, bots: readonly LiveBot[]): Noted[] {
  const { name, folder, config } = action;
  if (config === undefined || !config.workflow) return [];
  const path = join(folder, actionConfigFile);
  const message = `${name} has no order and comes after all that have one`;
  const fix = "Give it an order.";
  return [
    ...(config.order !== null
      ? []
      : [{ code: "missing-order", path, line: lineIn(path, ["order"]), message, fix } as const]),
    ...(config.next !== undefined ? [] : [missingNext(path, successorOf(folder, name, bots))]),
  ];
}

function missingNext(path: string, next: string | null | undefined): Noted {
  const noted = { code: "missing-next-action", path, line: 1 } as const;
  const message = "next_action is left out, and what comes next by order follows";
  if (next === undefined) return { ...noted, message, fix: "Say what follows, or null on the last action." };
  const written = JSON.stringify(next);
  return {
    ...noted,
    message: `${message}: ${next ?? "nothing"}`,
    fix: `Write "next_action": ${written}.`,
    mend: { at: ["next_action"], value: next },
  };
}

function orderGaps({ tree }: LiveBot): Noted[] {
  if (tree.actions.some(({ broken, stray }) => broken !== undefined && !stray)) return [];
  const placed = tree.actions
    .flatMap(({ name, folder, config }) =>
      config?.workflow && config.order !== null ? [{ name, folder, order: config.order }] : [],
    )
    .sort((a, b) => a.order - b.order);
  const steps = placed.map(({ order }, index) => order - (placed[index - 1]?.order ?? order)).slice(1);
  // Orders such as 10, 20, 30 leave room on purpose.
  if (steps.length > 1 && new Set(steps).size === 1) return [];
  return placed.flatMap(({ name, folder, order }, index) => {
    const before = placed[index - 1];
    if (before === undefined || order - before.order <= 1) return [];
    const path = join(folder, actionConfigFile);
    const message = `the order goes from ${before.order} (${before.name}) to ${order} (${name})`;
    return [
      { code: "order-gap", path, line: lineIn(path, ["order"]), message, fix: "Number the actions without a gap." },
    ];
  });
}
