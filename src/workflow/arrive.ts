import { type Condition, conditionText } from "../gates/condition.ts";
import { type ConditionFacts, judgeCondition } from "../gates/judge-condition.ts";
import type { JsonObject } from "../kit/json.ts";
import { stampOf } from "./command.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event, JudgedCondition } from "./events.ts";
import { type Position, positionIn } from "./position.ts";
import { replay } from "./replay.ts";
import type { Run, StreamSnapshot } from "./stream-snapshot.ts";
import type { Workflow } from "./workflow.ts";

/** The position that needs work, after the steps whose condition is false were passed over. */
export type Arrival = {
  readonly events: readonly Event[];
  readonly position: Position;
  readonly stream: StreamSnapshot;
};

/** Arrives at the next step that needs work: a step's condition is judged once, when the position reaches it. */
export function arrive(
  workflow: Workflow,
  stream: StreamSnapshot,
  { caller, now }: Pick<DecisionContext, "caller" | "now">,
): Arrival {
  const events: Event[] = [];
  let moved = stream;
  for (;;) {
    const position = positionIn(moved, workflow);
    const { current, run } = position;
    const when = current?.routing?.when;
    const status = current === null ? undefined : run.steps.get(current.name)?.status;
    const isDue = status === undefined || status === "superseded";
    if (current === null || when === undefined || !isDue) return { events, position, stream: moved };
    const { holds, judged } = judge(when, factsOf(run, moved));
    if (holds !== false) return { events, position, stream: moved };
    const { workflow: name, pass } = run;
    const passed: Event = {
      type: "passed_over",
      ...stampOf(caller, now),
      workflow: name,
      pass,
      step: current.name,
      ...judged,
    };
    events.push(passed);
    moved = replay([passed], moved);
  }
}

/** Judges a condition on what is recorded; the result names what it read. */
export function judge(
  condition: Condition,
  facts: ConditionFacts,
): { readonly holds: boolean | undefined; readonly judged: JudgedCondition } {
  const { holds, read } = judgeCondition(condition, facts);
  return { holds, judged: { condition: conditionText(condition), read } };
}

/** The recorded values of a run that conditions read; `evidence` is that of the step being judged. */
export function factsOf({ steps }: Run, { session }: StreamSnapshot, evidence?: JsonObject): ConditionFacts {
  return {
    inputs: session?.inputs ?? {},
    evidenceOf(name) {
      const state = steps.get(name);
      return state?.status === "completed" ? (state.submitted.evidence ?? {}) : undefined;
    },
    roundsOf: (name) => steps.get(name)?.rounds ?? 0,
    ...(evidence === undefined ? {} : { evidence }),
  };
}
