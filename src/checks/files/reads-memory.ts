import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
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
        const file = join(folder, filesIn(reads));
        await writeFile(`${file}.tmp${process.pid}`, JSON.stringify([...files]));
        await rename(`${file}.tmp${process.pid}`, file);
        await forgetOldest(folder);
      } catch {
        // it is not remembered, then
      }
    },
    async find(reads) {
      try {
        const pairs: [string, string][] = JSON.parse(await readFile(join(folder, filesIn(reads)), "utf8"));
        return new Map(pairs);
      } catch {
        return undefined;
      }
    },
  };
}

/** The part of the name of a reading that names its files; behind the dot are the variables. */
export function filesIn(reads: string): string {
  return reads.split(".")[0] ?? "";
}

const most = 200;

async function forgetOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const oldest = aged.sort((a, b) => a.at - b.at).slice(0, names.length - most);
  for (const { name } of oldest) await rm(join(folder, name), { force: true });
}
