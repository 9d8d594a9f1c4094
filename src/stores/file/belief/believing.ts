import type { Machine } from "./machine.ts";
import type { Seen } from "./seen.ts";

/** By what a stored thing is believed or not: the key of this machine, what it remembers of the history, and whether git has the history as it stands. */
export type Believing = {
  readonly machine: Machine | undefined;
  readonly seen: Seen | undefined;
  /** Whether the history stands as the commit that is checked out has it, or is not there and git keeps it on another branch. */
  isInGit(): Promise<boolean>;
};
