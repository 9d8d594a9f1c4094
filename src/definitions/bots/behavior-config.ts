import { join } from "node:path";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import type { Listing } from "../folder.ts";
import { readJson } from "../json-file.ts";
import { type Flaw, flawIn, unreadableIn } from "../problem.ts";
import { notAnObject } from "./action-config.ts";
import { asName } from "./names.ts";

/** What a behavior's folder says of itself; `path` is the file that says it, where there is one. */
export type BehaviorConfig = { readonly path?: string; readonly config: JsonObject; readonly broken?: Flaw };

/** The name that a behavior's config gives it; undefined where it gives none. */
export function nameInConfig(config: JsonObject): string | undefined {
  const name = [config.name, config.behaviorName, config.behavior_name].find((value) => value !== undefined);
  return typeof name === "string" && asName(name) !== "" ? asName(name) : undefined;
}

/** Reads the config in a behavior's folder, as it stands now; most behaviors have none. */
export function readBehaviorConfig(definitions: string, folder: string, { files }: Listing): BehaviorConfig {
  const name = configNames.find((candidate) => files.includes(candidate));
  if (name === undefined) return { config: {} };
  const path = join(folder, name);
  const read = readJson(path);
  if ("value" in read && isObject(read.value)) return { path, config: read.value };
  const says = (why: string): string => `the behavior's config is malformed: ${why}`;
  const broken =
    "malformed" in read
      ? unreadableIn(definitions, path, read.trouble, says(read.malformed))
      : flawIn(definitions, path, { ...notAnObject, message: says(notAnObject.message) });
  return { path, config: {}, broken };
}

const configNames = ["behavior.json", "behavior_config.json"];
