import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Guarded } from "./stores/file/content-place.ts";

/** What content that is handed in may not touch, wherever it lies: the definitions, and the packages of the code that runs. */
export function guardedFolders(definitions: string): readonly Guarded[] {
  const own = [{ folder: import.meta.dirname, parts: [] }, ...packageOf(import.meta.dirname, ["package.json"])];
  const [, entry] = process.argv;
  // Where the project area lies in the package of whoever starts us, that package is the project.
  const started = entry === undefined ? [] : [{ folder: entry, parts: [] }, ...packageOf(dirname(entry), [])];
  return [{ folder: definitions, parts: definitionParts }, ...own, ...started];
}

/** What stands in a folder of definitions. */
const definitionParts = [
  "base_actions",
  "bots",
  "workflows",
  "standards",
  "pinned",
  "index",
  "config.json",
  "approvers.json",
];

/** The package that some code belongs to, and what of it is guarded where the project area lies in it. */
function packageOf(code: string, parts: readonly string[]): readonly Guarded[] {
  for (let folder = code; folder !== dirname(folder) && basename(folder) !== "node_modules"; folder = dirname(folder))
    if (existsSync(join(folder, "package.json"))) return [{ folder, parts }];
  return [];
}
