import type { Believes } from "../../chain/verify-lines.ts";
import type { Machine } from "./machine.ts";
import type { Seen } from "./seen.ts";

/** What is believed of acceptances on record: those that this machine remembers, where it remembers anything at all. */
export function believesIn(seen: Seen | undefined): Believes {
  return seen === undefined ? () => true : seen.hasAccepted;
}

/** By what a stored thing is believed or not: the key of this machine, what it remembers of the history, and whether git has the history as it stands. */
export type Believing = {
  readonly machine: Machine | undefined;
  readonly seen: Seen | undefined;
  /** Whether the history stands as the commit that is checked out has it, or is not there and git keeps it on another branch. */
  isInGit(): Promise<boolean>;
};
