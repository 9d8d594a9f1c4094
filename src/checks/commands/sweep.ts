import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { markerName } from "./job.ts";

/**
 * Ends every process of this machine whose marker is meant, and says how many it found. Looks three times, since one
 * that forks at that moment can be missed. Where there is no /proc nothing is found.
 */
export async function sweep(isMeant: (marker: string) => boolean): Promise<number> {
  const found = new Set<number>();
  for (let pass = 0; pass < 3; pass++) {
    if (pass > 0) await pause(25);
    for (const pid of marked(isMeant)) {
      found.add(pid);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it is gone, or not ours to end
      }
    }
  }
  return found.size;
}

function marked(isMeant: (marker: string) => boolean): number[] {
  return numbersIn("/proc").filter((pid) => {
    if (pid === process.pid) return false;
    const marker = markerOf(pid);
    return marker !== undefined && isMeant(marker);
  });
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function markerOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.find((one) => one.startsWith(`${markerName}=`))?.slice(markerName.length + 1);
  } catch {
    return undefined;
  }
}

/** Names this process in a marker: a number alone comes again after a while. */
export function ownerMark(pid: number = process.pid): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${pid}-${began}`;
  } catch {
    return undefined;
  }
}

/** Ends what checks of servers that are gone have left behind; those of a living server are its own. */
export async function sweepLeftOvers(): Promise<number> {
  return sweep((marker) => {
    const owner = marker.split(".", 1)[0] ?? "";
    const pid = Number(owner.split("-", 1)[0]);
    return Number.isInteger(pid) && ownerMark(pid) !== owner;
  });
}
