import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Guarded } from "../stores/file/content-target.ts";

/** The folders that submitted content may not touch: the definitions, and the packages of the running code. */
export function guardedFolders(definitions: string): readonly Guarded[] {
  const own = [{ folder: import.meta.dirname, parts: [] }, ...findPackage(import.meta.dirname, ["package.json"])];
  const [, entry] = process.argv;
  // if the project area is in the package that starts us, that package is the project
  const started = entry === undefined ? [] : [{ folder: entry, parts: [] }, ...findPackage(dirname(entry), [])];
  return [{ folder: definitions, parts: definitionParts }, ...own, ...started];
}

/** The parts of a definitions folder. */
const definitionParts = [
  "base_actions",
  "bots",
  "workflows",
  "standards",
  "pinned",
  "index",
  "config.json",
  "approvers.json",
  "runners.json",
  "identity.json",
];

/** The package that some code belongs to, and its guarded parts if the project area is inside it. */
function findPackage(code: string, parts: readonly string[]): readonly Guarded[] {
  for (let folder = code; folder !== dirname(folder) && basename(folder) !== "node_modules"; folder = dirname(folder))
    if (existsSync(join(folder, "package.json"))) return [{ folder, parts }];
  return [];
}
