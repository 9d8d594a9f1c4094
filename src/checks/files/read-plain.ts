import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { liesIn } from "../../paths/lies-in.ts";

/** The text of a plain file of a project area; undefined where none stands there, only through a link, or one that is too large. */
export async function readPlain(area: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(area);
    const file = await realpath(join(root, path));
    if (file !== join(root, path) || !liesIn(root, file)) return undefined; // through a link it is another file
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
