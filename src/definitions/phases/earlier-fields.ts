import { lookedBackTo } from "../../evidence/evidence-comparison.ts";
import type { Comparison } from "../../evidence/gate.ts";
import { type Complaint, complaint } from "./complaint.ts";
import type { Phase } from "./phased-workflow.ts";

/** What is wrong with comparisons that look back: a phase that is not earlier, a field that it need not hand in. */
export function earlierComplaints(phases: readonly Phase[], definitions: string): Complaint[] {
  return phases.flatMap(({ number, gate }) =>
    gate.comparisons.flatMap((comparison) =>
      lookedBackTo(comparison).flatMap((back) => {
        const earlier = phases.find((phase) => phase.number === back.step && phase.number < number);
        if (earlier === undefined) return [complain(comparison, `phase ${back.step} is no earlier phase`, definitions)];
        const known = earlier.gate.requirements.find(({ field }) => field === back.field);
        const name = `phase_${back.step}.${back.field}`;
        if (known === undefined) return [complain(comparison, `${name} is not asked for there`, definitions)];
        if (!known.required) return [complain(comparison, `${name} may be left out there`, definitions)];
        const isLong = known.type === "list" || known.type === "object";
        const fits = back.isLength ? isLong || known.type === "string" : !isLong;
        return fits
          ? []
          : [complain(comparison, `${name} is a ${known.type} and cannot be compared in this way`, definitions)];
      }),
    ),
  );
}

function complain({ source }: Comparison, message: string, definitions: string): Complaint {
  const fix = "Compare with what an earlier phase must hand in, such as phase_1.case_count.";
  const path = `${definitions}/${source?.file ?? ""}`;
  return complaint("requirement-not-understood", path, message, fix, { line: source?.line ?? 1 });
}
