import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import type { FilePlace } from "./place.ts";

/** Says why a file is not read: links are followed inside the folder of the definitions only. */
export function whyNotFollowed(path: string, place: FilePlace): string | undefined {
  try {
    const inside = relative(realpathSync(definitionsOf(place)), realpathSync(path));
    return inside.split(sep)[0] === ".." ? "it is a link that leads out of the definitions" : undefined;
  } catch {
    // A file that is not there, or cannot be read, is reported by who reads it.
    return undefined;
  }
}

/** The folder that messages are relative to, told from how this place is shown. */
export function definitionsOf({ path, source }: FilePlace): string {
  return path.slice(0, path.length - source.length - 1);
}
