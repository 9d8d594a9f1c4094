import { isPathInside } from "../../kit/is-path-inside.ts";
import { loadedRealPath } from "../snapshot/file-entry.ts";

/** A definition's location: its path, its name in messages, and its name as a source. */
export type FileLocation = { readonly path: string; readonly file: string; readonly source: string };

/** Explains why a file is not read: links are followed only inside the definitions folder. */
export function outsideLinkReason(path: string, place: FileLocation): string | undefined {
  const folder = loadedRealPath(definitionsFolder(place));
  const real = loadedRealPath(path);
  // A missing or unreadable file is reported by its reader.
  if (folder === undefined || real === undefined) return undefined;
  return isPathInside(folder, real) ? undefined : "it is a link to a place outside the definitions";
}

/** The folder that messages are relative to, derived from a location. */
export function definitionsFolder({ path, source }: FileLocation): string {
  return path.slice(0, path.length - source.length - 1);
}
