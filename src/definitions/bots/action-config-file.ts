import { join } from "node:path";
import type { Problem } from "../../workflow/workflow.ts";
import { readJson } from "../json-file.ts";
import { shownIn } from "../shown.ts";
import { parseActionConfig } from "./action-config.ts";
import type { ActionConfig } from "./tree.ts";

/** The name of the file that makes a folder an action. */
export const actionConfigFile = "action_config.json";

/** What the config of an action's folder sets, as it stands now. */
export type ActionConfigRead = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: Problem;
  readonly problems: readonly Problem[];
};

/** Reads the action config of a folder; broken where it is missing or cannot be understood. */
export function readActionConfig(definitions: string, folder: string): ActionConfigRead {
  const path = join(folder, actionConfigFile);
  const problem = (message: string): Problem => ({ file: shownIn(definitions, path), message });
  const unusable = (message: string): ActionConfigRead => ({ config: {}, broken: problem(message), problems: [] });
  const read = readJson(path);
  if ("missing" in read) return unusable("the action config is missing");
  if ("malformed" in read) return unusable(`the action config is malformed: ${read.malformed}`);
  const { config, broken, problems } = parseActionConfig(read.value);
  if (broken !== undefined) return unusable(`the action config is malformed: ${broken}`);
  return { config, problems: problems.map(problem) };
}
