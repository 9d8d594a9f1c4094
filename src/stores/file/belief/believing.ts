import type { Machine } from "./machine.ts";
import type { Seen } from "./seen.ts";

/** By what a stored thing is believed or not: the key of this machine, what it remembers of the history, and whether git keeps that. */
export type Believing = {
  readonly machine: Machine | undefined;
  readonly seen: Seen | undefined;
  isCommitted(): Promise<boolean>;
};
