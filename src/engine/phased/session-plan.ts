import type { Gate } from "../../workflow/gate.ts";
import type { Plan, Step } from "../../workflow/workflow.ts";
import type { Phase, PhasedWorkflow } from "../phased-ports.ts";

/** A phased workflow as the core walks it: one workflow, a step for each phase, named by its number. */
export function sessionPlan(session: string, { type, phases }: PhasedWorkflow): Plan {
  return {
    name: session,
    workflows: [{ name: type, steps: phases.map(stepOf) }],
    independent: [],
    ordered: false,
  };
}

/** A gate decides whether a phase is done; a person only where the gate says so. */
function stepOf({ number, gate, sources }: Phase): Step {
  return { name: String(number), title: `Phase ${number}`, auto: true, gate: withoutRules(gate, sources[0] ?? "") };
}

/** Rules belong to a bot's behaviors: a phase that asks for them asks for what nobody can check. */
function withoutRules(gate: Gate, file: string): Gate {
  if (!gate.rulesHold || gate.closed !== undefined) return gate;
  return { ...gate, closed: { code: "gate-wrong-value", file, message: "a phase has no rules to check" } };
}
