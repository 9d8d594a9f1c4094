import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { markerName } from "./job.ts";
import { lives } from "./owner.ts";

/**
 * Ends every process of this machine whose marker is meant, and says how many it found. Looks three times, since one
 * that forks at that moment can be missed. Where there is no /proc nothing is found.
 */
export async function sweep(isMeant: (marker: string) => boolean | Promise<boolean>): Promise<number> {
  const found = new Set<number>();
  for (let pass = 0; pass < 3; pass++) {
    if (pass > 0) await pause(25);
    const left = (await processes()).values();
    const work = async (): Promise<void> => {
      for (const pid of left) {
        const marker = await markerOf(pid);
        // What is meant is known before the look that decides: a number may be another's by then.
        if (marker === undefined || !(await isMeant(marker)) || (await markerOf(pid)) !== marker) continue;
        found.add(pid);
        end(pid);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
  }
  return found.size;
}

/** Ends what checks of servers that are gone have left behind; those of a living server are its own. */
export function sweepLeftOvers(): Promise<number> {
  return sweep(async (marker) => (await lives(marker.split(".", 1)[0] ?? "")) === false);
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
    // it is gone, or not ours to end
  }
}
