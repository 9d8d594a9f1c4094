import type { Desk, StepState } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import { refOf } from "../workflow/refusals.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { Definitions, Produced } from "./ports.ts";

/** What every completed step of the latest passes handed in, in the order of the plan. */
export function producedSoFar(plan: Plan, desk: Desk, record: Definitions["record"]): Produced[] {
  return plan.workflows.flatMap(({ name }) => {
    const run = desk.runs.get(name);
    if (run === undefined) return [];
    return [...run.steps].flatMap(([step, state]) =>
      state.status === "completed" ? [produced(refOf(run, step), state, record)] : [],
    );
  });
}

function produced(ref: StepRef, { handed }: StepState, record: Definitions["record"]): Produced {
  const path = record?.path(ref);
  const content = handed.content ?? [];
  return {
    workflow: ref.workflow,
    step: ref.step,
    content: content.filter((item) => item.path !== path),
    ...(handed.outputs === undefined ? {} : { outputs: handed.outputs }),
    ...(path !== undefined && content.some((item) => item.path === path) ? { record: path } : {}),
  };
}
