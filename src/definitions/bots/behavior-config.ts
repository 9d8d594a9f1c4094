import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { JsonObject } from "../../kit/json.ts";
import { readConfig } from "../files/config-file.ts";
import type { LoaderProblem } from "../loader-problem.ts";
import type { Listing } from "../snapshot/list-folder.ts";
import { normalizeName } from "./definition-names.ts";

/** The config of a behavior's folder; `path` is its file, if there is one. */
export type BehaviorConfig = { readonly path?: string; readonly config: JsonObject; readonly broken?: LoaderProblem };

/** The behavior's name in its config, or undefined. */
export function nameInConfig(config: JsonObject): string | undefined {
  const name = [config.name, config.behaviorName, config.behavior_name].find((value) => value !== undefined);
  return typeof name === "string" && normalizeName(name) !== "" ? normalizeName(name) : undefined;
}

/** Reads the current config in a behavior's folder; most behaviors have none. */
export function readBehaviorConfig(
  definitions: DefinitionSnapshot,
  folder: string,
  { files }: Listing,
): BehaviorConfig {
  const name = configNames.find((candidate) => files.includes(candidate));
  if (name === undefined) return { config: {} };
  const path = join(folder, name);
  return { path, config: {}, ...readConfig(definitions, path, "the behavior's config") };
}

const configNames = ["behavior.json", "behavior_config.json"];
