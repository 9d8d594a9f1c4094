import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";

/** The text of a plain file; undefined if there is none, only through a link, or if it is too large. */
export async function readPlain(area: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(area);
    const file = await realpath(join(root, path));
    if (file !== join(root, path) || !isPathInside(root, file)) return undefined; // a link would lead to another file
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= mostBytes ? await handle.readFile("utf8") : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

const mostBytes = 5 * 1024 * 1024;
