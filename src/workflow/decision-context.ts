import type { Gate } from "../gates/gate.ts";
import type { Waived } from "../gates/waiver.ts";
import type { Caller } from "./command.ts";
import type { StepRef } from "./events.ts";
import type { Position } from "./position.ts";
import type { StepState, StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan, Step } from "./workflow.ts";

/** An open step, and the position it is at. */
export type OpenStep = {
  readonly ref: StepRef;
  readonly step: Step;
  readonly state: StepState;
  readonly position: Position;
  /** Its gate without what a person waived, and what that is. */
  readonly gate?: Gate;
  readonly waived: readonly Waived[];
  /** The continuation a person chose, where routes read what was waived. */
  readonly follows?: string;
};

/** Everything a decision depends on. */
export type DecisionContext = {
  readonly plan: Plan;
  readonly stream: StreamSnapshot;
  readonly caller: Caller;
  readonly now: string;
  /** The open step that a completion is about, if it was found before the decision. */
  readonly open?: OpenStep;
  /** The problem with the list of the open step's items. */
  readonly listProblem?: string;
};
