import { type ApprovalPart, combinedApproval } from "../../../gates/combine-gates.ts";
import type { Gate } from "../../../gates/gate.ts";
import type { Unclear } from "../demands/demand.ts";
import { both } from "../demands/merge-demands.ts";
import { differences } from "../demands/sources-differ.ts";
import type { PhaseGate } from "../phase-gate.ts";
import { type WorkflowProblem, workflowProblem } from "../workflow-problem.ts";

/** The gate of a task file, with its path. */
export type TaskGate = PhaseGate & { readonly path: string };

/** Adds the requirements of task files to a phase's gate; beside a gate file or an evidence table only their approvals count. */
export function withTaskGates(phase: PhaseGate, tasks: readonly TaskGate[]): PhaseGate {
  const asked = [phase, ...tasks].map(({ gate }) => gate).reduce<ApprovalPart>(combinedApproval, { approval: false });
  if (phase.whole !== undefined)
    return {
      gate: { ...phase.gate, ...asked },
      complaints: [...phase.complaints, ...tasks.flatMap((task) => overriddenTask(phase, task))],
    };
  const fields = new Map(phase.gate.requirements.map((one) => [one.field, one]));
  const differing: WorkflowProblem[] = [];
  for (const { gate, path } of tasks)
    for (const one of gate.requirements) {
      const before = fields.get(one.field) ?? one;
      const found = differences({ name: "the phase", requirements: [before] }, { name: "a task", requirements: [one] });
      differing.push(...found.map((unclear) => differs(path, unclear)));
      if (found.length === 0) fields.set(one.field, both(before, one));
    }
  const gate: Gate = {
    ...phase.gate,
    ...asked,
    requirements: [...fields.values()],
    comparisons: [...phase.gate.comparisons, ...tasks.flatMap(({ gate }) => gate.comparisons)],
    examples: Object.assign({}, ...tasks.map(({ gate }) => gate.examples), phase.gate.examples),
  };
  const isOpen = !asked.approval && !gate.requirements.some(({ required }) => required);
  return {
    gate,
    complaints: [
      ...phase.complaints.filter(({ code }) => code !== "phase-without-requirement" || isOpen),
      ...tasks.flatMap(({ complaints }) => complaints),
      ...differing,
    ],
  };
}

function overriddenTask(
  { gate: { requirements, closed }, whole = "the gate file" }: PhaseGate,
  task: TaskGate,
): WorkflowProblem[] {
  const differing = differences(
    { name: whole, requirements },
    { name: "a task", requirements: task.gate.requirements },
  );
  return [
    ...task.complaints.filter(({ code }) => code === "approval-not-understood"),
    ...(closed === undefined ? differing : []).map((unclear) => differs(task.path, unclear)),
  ];
}

function differs(path: string, { line, message }: Unclear): WorkflowProblem {
  const fix = "Keep it in one place, or make both the same.";
  return workflowProblem("gate-sources-differ", path, message, fix, { line, closes: false });
}
