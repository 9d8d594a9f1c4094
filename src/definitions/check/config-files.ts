import { basename, dirname, join } from "node:path";
import type { Survey } from "./survey.ts";

/** The config of every bot, where it stands. */
export function botConfigsIn({ definitions, bots }: Survey): string[] {
  return bots.map(({ tree }) => join(dirname(definitions), tree.configFile));
}

/** The config that every behavior has in its own folder, where it has one. */
export function behaviorConfigsIn({ folders, bots }: Survey): string[] {
  const places = new Set(bots.flatMap(({ tree }) => tree.behaviors.flatMap(({ folder }) => folder ?? [])));
  return folders.flatMap(({ path, files }) => {
    const isBehavior = places.has(path) || basename(dirname(path)) === "behaviors";
    const name = isBehavior ? configNames.find((candidate) => files.includes(candidate)) : undefined;
    return name === undefined ? [] : [join(path, name)];
  });
}

const configNames = ["behavior.json", "behavior_config.json"];
