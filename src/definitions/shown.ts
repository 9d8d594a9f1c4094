import { dirname, relative, sep } from "node:path";

/** A path as a reader of a message wants it: from the folder that holds the definitions, with forward slashes. */
export function shownIn(definitions: string, path: string): string {
  return relative(dirname(definitions), path).split(sep).join("/");
}
