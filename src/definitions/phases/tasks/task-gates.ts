import type { Gate, Requirement } from "../../../evidence/gate.ts";
import { type Complaint, complaint } from "../complaint.ts";
import { both } from "../demands/merge-demands.ts";
import type { PhaseGate } from "../phase-gate.ts";

/** What the file of a task asks for, and where that file is. */
export type TaskGate = PhaseGate & { readonly path: string };

/**
 * The gate of a phase with what the files of its tasks ask for on top. A gate file or an evidence table is the whole gate:
 * beside it only an approval counts, and what differs is said.
 */
export function withTaskGates(phase: PhaseGate, tasks: readonly TaskGate[]): PhaseGate {
  const approval = phase.gate.approval || tasks.some(({ gate }) => gate.approval);
  if (phase.whole !== undefined)
    return {
      gate: { ...phase.gate, approval },
      complaints: [...phase.complaints, ...tasks.flatMap((task) => outranked(phase, task))],
    };
  const differing: Complaint[] = [];
  const asked = new Map(phase.gate.requirements.map((one) => [one.field, one]));
  for (const { gate, path } of tasks)
    for (const one of gate.requirements) {
      const known = asked.get(one.field);
      if (known !== undefined && known.type !== one.type)
        differing.push(differs(path, one, `${one.field} is ${one.type} here and ${known.type} in the phase`));
      else asked.set(one.field, known === undefined ? one : both(known, one));
    }
  const gate: Gate = {
    ...phase.gate,
    approval,
    requirements: [...asked.values()],
    comparisons: [...phase.gate.comparisons, ...tasks.flatMap(({ gate }) => gate.comparisons)],
    examples: Object.assign({}, ...tasks.map(({ gate }) => gate.examples), phase.gate.examples),
  };
  const isOpen = !approval && !gate.requirements.some(({ required }) => required);
  return {
    gate,
    complaints: [
      ...phase.complaints.filter(({ code }) => code !== "phase-without-requirement" || isOpen),
      ...tasks.flatMap(({ complaints }) => complaints),
      ...differing,
    ],
  };
}

function outranked({ gate: counts, whole }: PhaseGate, { gate, path, complaints }: TaskGate): Complaint[] {
  const known = new Set(counts.requirements.map(({ field }) => field));
  const lacking = counts.closed === undefined ? gate.requirements.filter(({ field }) => !known.has(field)) : [];
  return [
    ...complaints.filter(({ code }) => code === "approval-not-understood"),
    ...lacking.map((one) =>
      differs(path, one, `${one.field} stands in a task and not in ${whole}, which is what counts`),
    ),
  ];
}

function differs(path: string, { source }: Requirement, message: string): Complaint {
  const fix = "Say it in one place, or the same in both.";
  return complaint("gate-sources-differ", path, message, fix, { line: source?.line ?? 1, closes: false });
}
