import { type EarlierField, lookedBackTo } from "../../evidence/evidence-comparison.ts";
import { withFresh } from "../../evidence/fresh-checks.ts";
import { type Complaint, complaint } from "./complaint.ts";
import type { Phase } from "./phased-workflow.ts";

/** What is wrong with comparisons that look back: a phase that is not earlier, a field that it need not hand in. */
export function earlierComplaints(phases: readonly Phase[], definitions: string): Complaint[] {
  return [...freshComplaints(phases, definitions), ...comparedComplaints(phases, definitions)];
}

/** Checks that a phase wants to hold still, and that no phase before it has. */
function freshComplaints(phases: readonly Phase[], definitions: string): Complaint[] {
  return withFresh(phases).flatMap(({ number: phase, gate: { closed } }, at) => {
    if (closed === undefined || closed === phases[at]?.gate.closed) return [];
    const { file, line = 1, message, fix = "" } = closed;
    return [complaint("requirement-not-understood", `${definitions}/${file}`, message, fix, { line, phase })];
  });
}

function comparedComplaints(phases: readonly Phase[], definitions: string): Complaint[] {
  return phases.flatMap(({ number, gate }) =>
    gate.comparisons.flatMap(({ source, ...comparison }) => {
      const earlier = phases.filter((phase) => phase.number < number);
      const [message] = lookedBackTo(comparison).flatMap((back) => whyNot(back, earlier) ?? []);
      const fix = "Compare with what an earlier phase must hand in, such as phase_1.case_count.";
      const path = `${definitions}/${source?.file ?? ""}`;
      const { line = 1 } = source ?? {};
      return message === undefined
        ? []
        : [complaint("requirement-not-understood", path, message, fix, { line, phase: number })];
    }),
  );
}

function whyNot({ step, field, isLength }: EarlierField, earlier: readonly Phase[]): string | undefined {
  const phase = earlier.find(({ number }) => number === step);
  const known = phase?.gate.requirements.find((one) => one.field === field);
  if (phase === undefined) return `phase ${step} is no earlier phase`;
  if (!known?.required) return `phase_${step}.${field} is not asked for there, or may be left out`;
  const isLong = known.type === "list" || known.type === "object";
  const fits = isLength ? isLong || known.type === "string" : !isLong;
  return fits ? undefined : `phase_${step}.${field} is a ${known.type} and cannot be compared in this way`;
}
