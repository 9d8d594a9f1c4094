import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilesRead } from "./file-reader.ts";

/** Remembers which files belong to a hash, to say which changed; nothing is decided by it. */
export type ReadsMemory = {
  keep(reads: string, files: FilesRead): Promise<void>;
  find(reads: string): Promise<FilesRead | undefined>;
};

/** Keeps the memory in a folder outside every project and drops the oldest entries. */
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
        // then it is not remembered
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

/** The part of a reads hash that names its files; the variables follow the dot. */
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
