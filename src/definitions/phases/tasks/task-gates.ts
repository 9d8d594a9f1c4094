import type { Gate } from "../../../evidence/gate.ts";
import { type AskedOfPeople, approvalOf } from "../../../evidence/gate-sum.ts";
import { type Complaint, complaint } from "../complaint.ts";
import type { Unclear } from "../demands/demand.ts";
import { both } from "../demands/merge-demands.ts";
import { differences } from "../demands/sources-differ.ts";
import type { PhaseGate } from "../phase-gate.ts";

/** What the file of a task asks for, and where that file is. */
export type TaskGate = PhaseGate & { readonly path: string };

/**
 * The gate of a phase with what the files of its tasks ask for on top. A gate file or an evidence table is the whole gate:
 * beside it only an approval counts, and what differs is said.
 */
export function withTaskGates(phase: PhaseGate, tasks: readonly TaskGate[]): PhaseGate {
  const asked = [phase, ...tasks].map(({ gate }) => gate).reduce<AskedOfPeople>(approvalOf, { approval: false });
  if (phase.whole !== undefined)
    return {
      gate: { ...phase.gate, ...asked },
      complaints: [...phase.complaints, ...tasks.flatMap((task) => outranked(phase, task))],
    };
  const fields = new Map(phase.gate.requirements.map((one) => [one.field, one]));
  const differing: Complaint[] = [];
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

function outranked(
  { gate: { requirements, closed }, whole = "the gate file" }: PhaseGate,
  task: TaskGate,
): Complaint[] {
  const differing = differences(
    { name: whole, requirements },
    { name: "a task", requirements: task.gate.requirements },
  );
  return [
    ...task.complaints.filter(({ code }) => code === "approval-not-understood"),
    ...(closed === undefined ? differing : []).map((unclear) => differs(task.path, unclear)),
  ];
}

function differs(path: string, { line, message }: Unclear): Complaint {
  const fix = "Say it in one place, or the same in both.";
  return complaint("gate-sources-differ", path, message, fix, { line, closes: false });
}
