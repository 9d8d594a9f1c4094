import type { Gate } from "../evidence/gate.ts";
import type { StepRef } from "../workflow/events.ts";
import type { PlanReading } from "./ports.ts";

/** The gate of a step, as it is read now. */
export function gateOf({ plan }: PlanReading, ref: StepRef): Gate | undefined {
  const workflow = plan.workflows.find(({ name }) => name === ref.workflow);
  return workflow?.steps.find(({ name }) => name === ref.step)?.gate;
}

/** Whether a gate asks for something that only a look outside the core can tell. */
export function looksOutside(gate: Gate): boolean {
  return gate.requirements.some(({ rules }) => rules.some(({ kind }) => outside.has(kind)));
}

const outside: ReadonlySet<string> = new Set(["matches", "file_exists", "directory_exists"]);
