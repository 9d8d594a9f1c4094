import { basename, dirname, join } from "node:path";
import type { DefinitionsSurvey } from "./load-for-check.ts";

/** The path of every bot's config file. */
export function botConfigsIn({ definitions, bots }: DefinitionsSurvey): string[] {
  return bots.map(({ tree }) => join(dirname(definitions.folder), tree.configFile));
}

/** The path of every behavior's own config file, for behaviors that have one. */
export function behaviorConfigsIn({ folders, bots }: DefinitionsSurvey): string[] {
  const places = new Set(bots.flatMap(({ tree }) => tree.behaviors.flatMap(({ folder }) => folder ?? [])));
  return folders.flatMap(({ path, files }) => {
    const isBehavior = places.has(path) || basename(dirname(path)) === "behaviors";
    const name = isBehavior ? configNames.find((candidate) => files.includes(candidate)) : undefined;
    return name === undefined ? [] : [join(path, name)];
  });
}

const configNames = ["behavior.json", "behavior_config.json"];
