import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { isProcessAlive } from "./process-mark.ts";
import { markerName } from "./supervised-job.ts";

/**
 * Kills every process on this machine whose marker matches, and returns how many it found. Looks three times, since a process that forks
 * meanwhile can be missed; finds nothing without /proc.
 */
export async function sweep(isMeant: (marker: string) => boolean | Promise<boolean>): Promise<number> {
  const found = new Set<number>();
  for (let pass = 0; pass < 3; pass++) {
    if (pass > 0) await pause(25);
    const left = (await processes()).values();
    const work = async (): Promise<void> => {
      for (const pid of left) {
        const marker = await markerOf(pid);
        // Read the marker again before killing: the pid may have been reused.
        if (marker === undefined || !(await isMeant(marker)) || (await markerOf(pid)) !== marker) continue;
        found.add(pid);
        end(pid);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
  }
  return found.size;
}

/** Kills what checks of dead servers left behind; those of living servers are left alone. */
export function sweepLeftOvers(): Promise<number> {
  return sweep(async (marker) => (await isProcessAlive(marker.split(".", 1)[0] ?? "")) === false);
}

async function processes(): Promise<number[]> {
  const names = await readdir("/proc").catch((): string[] => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

async function markerOf(pid: number): Promise<string | undefined> {
  const variables = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  return variables
    .split("\0")
    .find((one) => one.startsWith(`${markerName}=`))
    ?.slice(markerName.length + 1);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it is gone, or not ours to kill
  }
}
