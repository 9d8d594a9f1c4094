import type { Gate } from "../evidence/gate.ts";
import type { StepRef } from "../workflow/events.ts";
import type { PlanReading } from "./ports.ts";

/** The gate of a step, as it is read now. */
export function gateOf({ plan }: PlanReading, ref: StepRef): Gate | undefined {
  const workflow = plan.workflows.find(({ name }) => name === ref.workflow);
  return workflow?.steps.find(({ name }) => name === ref.step)?.gate;
}
