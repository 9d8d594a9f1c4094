import { liesIn } from "../../paths/lies-in.ts";
import { realPathOf } from "../stand.ts";

/** Where a definition stands: on disk, as messages show it, and as sources name it. */
export type FilePlace = { readonly path: string; readonly file: string; readonly source: string };

/** Says why a file is not read: links are followed inside the folder of the definitions only. */
export function whyNotFollowed(path: string, place: FilePlace): string | undefined {
  const folder = realPathOf(definitionsOf(place));
  const real = realPathOf(path);
  // A file that is not there, or cannot be read, is reported by who reads it.
  if (folder === undefined || real === undefined) return undefined;
  return liesIn(folder, real) ? undefined : "it is a link that leads out of the definitions";
}

/** The folder that messages are relative to, told from how this place is shown. */
export function definitionsOf({ path, source }: FilePlace): string {
  return path.slice(0, path.length - source.length - 1);
}
