import type { CheckResult } from "../gates/check.ts";
import type { Gate, Observations } from "../gates/gate.ts";
import type { Rule } from "../gates/rule.ts";
import type { Completed } from "./judged-as-defined.ts";

/** A completed step, what judged it, and its check results then. */
export type JudgedStep = {
  readonly step: string;
  /** The display name of the step. */
  readonly called: string;
  readonly gate: Gate;
  /** Observations made when its evidence was judged again. */
  readonly observed: Observations;
  readonly completed: Completed;
  /** The commit HEAD was at when it was opened, if that is on record. */
  readonly since: string | undefined;
  readonly recorded: readonly CheckResult[];
  /** The rules its gate enforces; undefined if it has none. */
  readonly rules: readonly Rule[] | undefined;
};
