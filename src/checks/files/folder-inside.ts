import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath } from "../../kit/real-path.ts";

/** Tells if a path is a folder inside the project area once links are followed. */
export async function isFolderInside(area: string, path: string): Promise<boolean> {
  const root = await realPath(area);
  const folder = root === undefined ? undefined : await realPath(join(root, path));
  if (root === undefined || folder === undefined || !isPathInside(root, folder)) return false;
  return lstat(folder).then(
    (found) => found.isDirectory(),
    () => false, // it was removed meanwhile
  );
}
