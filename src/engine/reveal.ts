import type { Desk, StepState } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import { refOf } from "../workflow/refusals.ts";
import { mayBeShown } from "../workflow/route.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Definitions, PresentRequest, Produced } from "./ports.ts";
import type { Shown } from "./reply.ts";

/** Shows a step that a caller may see now: whose turn it is, that is done, or outside the sequence. The only way from a definition to a door; undefined where the step has no such part. */
export async function reveal(
  { definitions }: DeskParts,
  plan: Plan,
  desk: Desk,
  request: Omit<PresentRequest, "produced">,
): Promise<Shown | undefined> {
  const { workflow, step } = request;
  if (!mayBeShown(plan, desk, workflow, step)) throw new Error(`${step} may not be shown: its turn has not come.`);
  const presented = await definitions.present(desk, {
    ...request,
    produced: producedSoFar(plan, desk, definitions.record),
  });
  if (presented === undefined) return undefined;
  const defined = plan.workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step);
  const { gate } = defined ?? {};
  return {
    ...presented,
    workflow,
    step,
    auto: gate?.approval !== true && (defined?.auto ?? false),
    ...(gate === undefined ? {} : { gate }),
  };
}

/** What every completed step of the latest passes handed in, in the order of the plan. */
function producedSoFar(plan: Plan, desk: Desk, record: Definitions["record"]): Produced[] {
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
  const own = content.find((item) => item.readable === true || item.path === path);
  return {
    workflow: ref.workflow,
    step: ref.step,
    content: content.filter((item) => item !== own),
    ...(handed.outputs === undefined ? {} : { outputs: handed.outputs }),
    ...(own === undefined ? {} : { record: own.path }),
  };
}
