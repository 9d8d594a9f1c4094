import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../evidence/sha256.ts";

/** What of a definitions folder decides how it serves. */
const parts = ["approvers.json", "base_actions", "bots", "config.json", "standards", "workflows"];

type Known = { readonly stand: string; readonly hash: string };

/** Names what a definitions folder says, all files of it together: the same files have the same name wherever they stand. What has not changed is not read again. */
export function versionReader(definitions: string): () => Promise<string> {
  let known: ReadonlyMap<string, Known> = new Map();
  return async () => {
    const files = new Map<string, Known>();
    for (const part of parts) await collect(definitions, part, known, files);
    known = files;
    const named = [...files]
      .map(([path, { hash }]) => [path, hash])
      .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
    return sha256(JSON.stringify(named)).slice(0, 16);
  };
}

/** Adds every plain file of a part; what begins with a dot is never read as a definition, and links are named by where they stand alone. */
async function collect(
  folder: string,
  part: string,
  known: ReadonlyMap<string, Known>,
  into: Map<string, Known>,
): Promise<void> {
  const path = join(folder, part);
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found?.isDirectory() === true) {
    const names = (await readdir(path).catch(() => [])).filter((name) => !name.startsWith("."));
    for (const name of names) await collect(folder, `${part}/${name}`, known, into);
  } else if (found !== undefined) {
    const stand = [found.mtimeNs, found.ctimeNs, found.size, found.ino].join();
    const before = known.get(part);
    into.set(part, before?.stand === stand ? before : { stand, hash: found.isFile() ? await hashOf(path) : "" });
  }
}

async function hashOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return sha256(bytes);
}
