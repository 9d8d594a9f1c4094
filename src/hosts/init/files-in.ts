import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { KitFile } from "./template.ts";

/** Every file below a folder, by its relative path. */
export function filesIn(folder: string): KitFile[] {
  return pathsIn(folder)
    .sort()
    .map((path) => ({ path: relative(folder, path).split(sep).join("/"), text: readFileSync(path, "utf8") }));
}

/** Folder by folder: in a Yarn zip archive, Node's recursive listing gives wrong parent folders. */
function pathsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pathsIn(path) : entry.isFile() ? [path] : [];
  });
}
