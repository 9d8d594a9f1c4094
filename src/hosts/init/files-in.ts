import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { KitFile } from "./template.ts";

/** Every file below a folder, by its relative path. */
export function filesIn(folder: string): KitFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(folder, path).split(sep).join("/"), text: readFileSync(path, "utf8") }));
}
