import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { readConfig } from "../files/config-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { parseActionConfig } from "./action-config.ts";
import type { ActionConfig } from "./tree.ts";

/** The name of the file that makes a folder an action. */
export const actionConfigFile = "action_config.json";

/** The current config of an action's folder. */
export type ActionConfigRead = {
  readonly config: Partial<ActionConfig>;
  readonly broken?: LoaderProblem;
  readonly problems: readonly LoaderProblem[];
};

/** Reads the action config of a folder; `broken` if it is missing or invalid. */
export function readActionConfig(definitions: DefinitionSnapshot, folder: string): ActionConfigRead {
  const path = join(folder, actionConfigFile);
  const unusable = (broken: LoaderProblem): ActionConfigRead => ({ config: {}, broken, problems: [] });
  const placed = (remark: JsonProblem): LoaderProblem => locateProblem(definitions, path, remark);
  const read = readConfig(definitions, path, "the action config");
  if ("missing" in read) return unusable(placed(missing));
  if ("broken" in read) return unusable(read.broken);
  const { config, broken, problems } = parseActionConfig(read.config);
  if (broken !== undefined)
    return unusable(placed({ ...broken, message: `the action config is malformed: ${broken.message}` }));
  return { config, problems: problems.map(placed) };
}

const missing: JsonProblem = {
  code: "missing-action-config",
  message: "the action config is missing",
  fix: "Add an action_config.json, or delete the folder.",
};
