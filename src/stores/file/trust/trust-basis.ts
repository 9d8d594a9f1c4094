import type { Trusts } from "../../chain/verify-lines.ts";
import type { MachineState } from "./machine-state.ts";
import type { SeenHistory } from "./seen-history.ts";

/** Trusts recorded acceptances that this machine remembers, or all if it remembers nothing. */
export function trustsIn(seen: SeenHistory | undefined): Trusts {
  return seen === undefined ? () => true : seen.hasAccepted;
}

/** The basis of trust in stored files: this machine's key, its memory of the history, and git. */
export type TrustBasis = {
  readonly machine: MachineState | undefined;
  readonly seen: SeenHistory | undefined;
  /** Tells if the history is as committed, or missing here but on another branch. */
  isInGit(): Promise<boolean>;
};
