import type { OpenStep } from "./close-step.ts";
import type { Caller } from "./command.ts";
import type { StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

/** Everything a decision depends on. */
export type DecisionContext = {
  readonly plan: Plan;
  readonly stream: StreamSnapshot;
  readonly caller: Caller;
  readonly now: string;
  /** The open step that a completion is about, if it was found before the decision. */
  readonly open?: OpenStep;
};
