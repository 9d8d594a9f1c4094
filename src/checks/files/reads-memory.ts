import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilesRead } from "./reads.ts";

/** Remembers which files stand behind a name, so that it can be said which of them changed. A convenience: nothing is decided by it. */
export type ReadsMemory = {
  keep(reads: string, files: FilesRead): Promise<void>;
  find(reads: string): Promise<FilesRead | undefined>;
};

/** A memory in a folder outside of every project; the oldest are forgotten. */
export function readsMemory(folder: string): ReadsMemory {
  return {
    async keep(reads, files) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = join(folder, reads);
        await writeFile(`${file}.tmp${process.pid}`, JSON.stringify([...files]));
        await rename(`${file}.tmp${process.pid}`, file);
        await forgetOldest(folder);
      } catch {
        // it is not remembered, then
      }
    },
    async find(reads) {
      try {
        const pairs: [string, string][] = JSON.parse(await readFile(join(folder, reads), "utf8"));
        return new Map(pairs);
      } catch {
        return undefined;
      }
    },
  };
}

const most = 200;

async function forgetOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  for (const name of names.slice(0, names.length - most)) await rm(join(folder, name), { force: true });
}
