import { allPhases } from "../../definitions/phases/read-phased.ts";
import { readSettings } from "../../definitions/settings/team-settings.ts";
import type { ApprovalLevel } from "../../gates/approval-rule.ts";
import type { Gate } from "../../gates/gate.ts";
import type { Problem } from "../../gates/problem.ts";
import { requiredApproval } from "../../workflow/required-approval.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { noteProblem } from "./inspect-loading.ts";

/** Reports gates that require the approval of people who have no key here. */
export function inspectApprovals(
  { definitions, bots }: DefinitionsSurvey,
  { approvers }: CheckContext,
): ReportedFinding[] {
  if ("problem" in approvers) return []; // inspectApprovers reports it
  const { approvalLevel } = readSettings(definitions).settings;
  const gates = [
    ...bots.flatMap(({ workflows }) => workflows.flatMap(({ steps }) => steps.flatMap(({ gate }) => gate ?? []))),
    ...allPhases(definitions).map(({ gate }) => gate),
  ];
  const found = gates.flatMap((gate) => problemsOf(gate, approvers, approvalLevel));
  return found.map((problem) => noteProblem(definitions.folder, problem));
}

function problemsOf(
  gate: Gate,
  approvers: readonly string[],
  approvalLevel: ApprovalLevel | undefined,
): readonly Problem[] {
  const { approvalSource: place } = gate;
  const { level, by, count } = requiredApproval(gate, approvalLevel === undefined ? {} : { approvalLevel });
  if (!gate.approval || gate.closed !== undefined || level !== "proven" || place === undefined) return [];
  const enroll = "Ask them to run waymark approve --enroll NAME, then run waymark trust.";
  const unknown = (by ?? []).filter((name) => !approvers.includes(name));
  const able = by === undefined ? new Set(approvers) : new Set(by.filter((name) => approvers.includes(name)));
  const of = able.size < count ? ", so no one can pass it" : "";
  if (unknown.length > 0)
    return [
      {
        code: "unknown-approver",
        ...place,
        message: `the gate requires approval by ${unknown.join(", ")}, with no key in approvers.json${of}`,
        fix: enroll,
      },
    ];
  if (able.size >= count) return [];
  const message = `the gate requires proven approval by ${count === 1 ? "one person" : `${count} people`}, but approvers.json lists ${able.size}${of}`;
  return [{ code: "unknown-approver", ...place, message, fix: enroll }];
}
