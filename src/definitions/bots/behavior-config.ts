import { join } from "node:path";
import { isObject, type JsonObject } from "../../workflow/json.ts";
import type { Problem } from "../../workflow/workflow.ts";
import type { Listing } from "../folder.ts";
import { readJson } from "../json-file.ts";
import { shownIn } from "../shown.ts";

/** What a behavior's folder says of itself; `path` is the file that says it, where there is one. */
export type BehaviorConfig = { readonly path?: string; readonly config: JsonObject; readonly broken?: Problem };

/** Reads the config in a behavior's folder, as it stands now; most behaviors have none. */
export function readBehaviorConfig(definitions: string, folder: string, { files }: Listing): BehaviorConfig {
  const name = configNames.find((candidate) => files.includes(candidate));
  if (name === undefined) return { config: {} };
  const path = join(folder, name);
  const read = readJson(path);
  if ("value" in read && isObject(read.value)) return { path, config: read.value };
  const why = "malformed" in read ? read.malformed : "it must hold a JSON object";
  const broken = { file: shownIn(definitions, path), message: `the behavior's config is malformed: ${why}` };
  return { path, config: {}, broken };
}

const configNames = ["behavior.json", "behavior_config.json"];
