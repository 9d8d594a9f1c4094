import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { wholeOr } from "./whole.ts";

/**
 * A folder in memory for everything that the tests of a run write: half of their time would go into waiting for a disk. What
 * a disk does to us is tried where that is the point: calls that fail, kills, and power cuts on a file system of their own.
 * Undefined where the run names a folder or goes through everything, and where memory has too little room or runs no program.
 */
export function folderInMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined || wholeOr(true, false) || !existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < roomNeeded) return undefined;
  const folder = mkdtempSync(join(memory, "waymark-tests-"));
  chmodSync(folder, 0o711); // a database of the run may be somebody else's
  if (runsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

const memory = "/dev/shm";

/** In bytes: several times what a run has there at once, which is mostly databases. */
const roomNeeded = 3 * 2 ** 30;

function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  return spawnSync(program).status === 0;
}

/** Removes a folder in which a server of this process may still be writing: Node's own retries do not look for new files. */
export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (tries === 50) throw error;
      await wait(50);
    }
}
