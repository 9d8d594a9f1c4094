import { mayRead } from "../../workflow/decide-session.ts";
import type { Desk } from "../../workflow/desk.ts";
import { requiredFormat } from "../../workflow/gate-format.ts";
import { locate } from "../../workflow/route.ts";
import type { Plan } from "../../workflow/workflow.ts";
import type { Phase, PhasedWorkflow, PhaseTask } from "../phased-ports.ts";
import type { ShownPhase } from "./phased-reply.ts";

/** A phase that a caller may see now; undefined for any other. The only way from a definition to a door. */
export function reveal(workflow: PhasedWorkflow, plan: Plan, desk: Desk, step: string): Phase | undefined {
  const [walked] = plan.workflows;
  if (walked === undefined || !mayRead(locate(desk, walked), step)) return undefined;
  return workflow.phases.find(({ number }) => String(number) === step);
}

/** A revealed phase as it is shown: whole, or one of its tasks. */
export function shown(phase: Phase, task?: PhaseTask): ShownPhase {
  const { number, content, sources, tasks, gate } = phase;
  return {
    number,
    content: task?.content ?? content,
    sources: task === undefined ? sources : [task.source],
    tasks: tasks.map(({ number: one, name }) => ({ task: one, name })),
    requiredEvidence: requiredFormat(gate),
    comparisons: gate.comparisons.map(({ message }) => message),
    approval: gate.approval,
    examples: gate.examples,
  };
}
