import type { ItemSession, ListProblem } from "../../engine/ports/definitions.ts";
import type { Calls } from "../../gates/calls.ts";
import { giveInputs } from "../../gates/input.ts";
import { defined } from "../../kit/defined.ts";
import { isObject } from "../../kit/json.ts";
import { fillValue, type LookUpValue } from "../phases/fill-placeholders.ts";
import type { PhasedWorkflow } from "../phases/phased-workflow.ts";

/** A workflow that a step calls, as it is pinned. */
export type CalledWorkflow = PhasedWorkflow;

/** The facts with which the session of an item begins: its workflow, and the inputs that its step gives. */
export function beginItem(
  calls: Calls,
  { type, phases, inputs: declared = [] }: CalledWorkflow,
  definition: string,
  lookUp: LookUpValue,
): ItemSession | ListProblem {
  const filled = fillValue(calls.with, lookUp);
  const given = giveInputs(declared, isObject(filled) ? filled : {});
  if ("problem" in given) return { problem: `${given.problem}, as its step gives it` };
  const first = phases[0]?.number ?? 1;
  return { workflow: type, definition, first, total: phases.length, ...defined({ inputs: given.inputs }) };
}
