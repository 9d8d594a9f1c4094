import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../kit/sha256.ts";

/** The parts of a definitions folder that affect serving. */
const parts = ["approvers.json", "base_actions", "bots", "config.json", "standards", "workflows"];

type HashedFile = { readonly stamp: string; readonly hash: string };

/** Creates a function that hashes a definitions folder by its files; unchanged files are not read again. */
export function versionReader(definitions: string): () => Promise<string> {
  let known: ReadonlyMap<string, HashedFile> = new Map();
  return async () => {
    const files = new Map<string, HashedFile>();
    for (const part of parts) await collect(definitions, part, known, files);
    known = files;
    const named = [...files]
      .map(([path, { hash }]) => [path, hash])
      .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
    return sha256(JSON.stringify(named)).slice(0, 16);
  };
}

/** Adds every plain file of a part; dot-files are skipped, and links count by their own path. */
async function collect(
  folder: string,
  part: string,
  known: ReadonlyMap<string, HashedFile>,
  into: Map<string, HashedFile>,
): Promise<void> {
  const path = join(folder, part);
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found?.isDirectory() === true) {
    const names = (await readdir(path).catch(() => [])).filter((name) => !name.startsWith("."));
    for (const name of names) await collect(folder, `${part}/${name}`, known, into);
  } else if (found !== undefined) {
    const stamp = [found.mtimeNs, found.ctimeNs, found.size, found.ino].join();
    const before = known.get(part);
    into.set(part, before?.stamp === stamp ? before : { stamp, hash: found.isFile() ? await hashOf(path) : "" });
  }
}

async function hashOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return sha256(bytes);
}
