import { isPathInside } from "../../kit/is-path-inside.ts";
import { loadedRealPath } from "../snapshot/file-entry.ts";

/** True if a file exists inside a folder, with all links followed. */
export function isInside(folder: string, path: string): boolean {
  const [outer, inner] = [loadedRealPath(folder), loadedRealPath(path)];
  return outer !== undefined && inner !== undefined && outer !== inner && isPathInside(outer, inner);
}
