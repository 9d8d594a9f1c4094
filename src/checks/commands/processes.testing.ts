import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A length of sleep that nobody else sleeps: processes are told by it, wherever they have gone. */
export function ownSleep(): string {
  return `3000.${randomInt(1e8, 1e9)}`;
}

/** The numbers of the processes whose command line has a word in it; those that are dead and not seen off yet have none. */
export function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}
