import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A unique sleep duration, to recognize processes by. */
export function ownSleep(): string {
  return `3000.${randomInt(1e8, 1e9)}`;
}

/** The pids of processes whose command line contains `word`; zombies have no command line. */
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

/** Waits until a condition is true. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}
