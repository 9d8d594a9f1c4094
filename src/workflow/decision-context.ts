import type { Caller } from "./command.ts";
import type { StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

/** Everything a decision depends on. */
export type DecisionContext = {
  readonly plan: Plan;
  readonly stream: StreamSnapshot;
  readonly caller: Caller;
  readonly now: string;
};
