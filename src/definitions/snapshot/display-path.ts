import { dirname, relative, sep } from "node:path";

/** A path as messages show it: relative to the folder that contains the definitions, with forward slashes. */
export function displayPath(definitions: string, path: string): string {
  return relative(dirname(definitions), path).split(sep).join("/");
}
