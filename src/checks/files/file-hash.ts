import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isPathInside } from "../../kit/is-path-inside.ts";

/** The SHA-256 of a plain file of any size; undefined if there is none or only through a link. */
export async function hashOfPlain(area: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(area);
    const file = await realpath(join(root, path));
    if (file !== join(root, path) || !isPathInside(root, file)) return undefined;
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return undefined;
      const hash = createHash("sha256");
      await pipeline(handle.createReadStream({ autoClose: false }), hash);
      return hash.digest("hex");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
