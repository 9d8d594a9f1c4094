import { join } from "node:path";
import { readJson } from "../json-file.ts";
import { type Flaw, flawIn, type Remark, unreadableIn } from "../problem.ts";
import { parseActionConfig } from "./action-config.ts";
import type { ActionConfig } from "./tree.ts";

/** The name of the file that makes a folder an action. */
export const actionConfigFile = "action_config.json";

/** What the config of an action's folder sets, as it stands now. */
export type ActionConfigRead = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: Flaw;
  readonly problems: readonly Flaw[];
};

/** Reads the action config of a folder; broken where it is missing or cannot be understood. */
export function readActionConfig(definitions: string, folder: string): ActionConfigRead {
  const path = join(folder, actionConfigFile);
  const unusable = (broken: Flaw): ActionConfigRead => ({ config: {}, broken, problems: [] });
  const placed = (remark: Remark): Flaw => flawIn(definitions, path, remark);
  const read = readJson(path);
  if ("missing" in read) return unusable(placed(missing));
  if ("malformed" in read)
    return unusable(unreadableIn(definitions, path, read.trouble, `the action config is malformed: ${read.malformed}`));
  const { config, broken, problems } = parseActionConfig(read.value);
  if (broken !== undefined)
    return unusable(placed({ ...broken, message: `the action config is malformed: ${broken.message}` }));
  return { config, problems: problems.map(placed) };
}

const missing: Remark = {
  code: "missing-action-config",
  message: "the action config is missing",
  fix: "Add an action_config.json, or delete the folder.",
};
