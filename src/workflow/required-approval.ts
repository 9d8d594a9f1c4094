import { type ApprovalRule, anyApproval, atLeast, isBelow } from "../gates/approval-rule.ts";
import type { Decision } from "../gates/approval-statement.ts";
import type { Gate } from "../gates/gate.ts";
import type { SubmissionFindings } from "../gates/proved.ts";
import type { CompleteCommand } from "./command.ts";
import type { AnswerProof, ApprovalRecord } from "./events.ts";
import { needsApproval } from "./judged-by-hash.ts";
import type { GivenApproval } from "./stream-snapshot.ts";
import type { Plan, Step } from "./workflow.ts";

/** The approval that a submission needs; undefined if it needs none. */
export function approvalNeeded(
  step: Step,
  plan: Pick<Plan, "approvalLevel">,
  found: SubmissionFindings,
): ApprovalRule | undefined {
  return needsApproval(step, found) ? requiredApproval(step.gate, plan) : undefined;
}

/** The approval rule where approval is needed: the gate's, raised to the level of the settings. */
export function requiredApproval(gate: Gate | undefined, { approvalLevel }: Pick<Plan, "approvalLevel">): ApprovalRule {
  const { approval = false, approvalNeeds } = gate ?? {};
  return atLeast(approval ? (approvalNeeds ?? anyApproval) : anyApproval, approvalLevel);
}

/** The approvals that count: for this digest, not expired, of a sufficient level, by the right people, one per person. */
export function countedApprovals(
  { level, by, count }: ApprovalRule,
  given: readonly GivenApproval[],
  digest: string,
  now: string,
): readonly GivenApproval[] {
  const holding = given.filter((one) => one.digest === digest && !isExpired(one, now) && isEligible(one, level, by));
  if (count === 1) return holding.slice(-1);
  return [...new Map(holding.map((one) => [one.person?.name, one])).values()];
}

/** An approval with an unreadable expiry has expired. */
function isExpired({ expires }: GivenApproval, now: string): boolean {
  return !(Date.parse(now) < Date.parse(expires));
}

/** Tells if an answer is of a sufficient level and from one of these people. */
export function isEligible(
  { level, person }: AnswerProof<Decision>,
  least: ApprovalRule["level"],
  by: ApprovalRule["by"],
): boolean {
  if (least === "proven" && level !== "proven") return false;
  return by === undefined || (person !== undefined && by.includes(person.name));
}

/** Combines approvals into one record once there are enough; its level is the lowest of them. */
export function combineApprovals(
  approvals: readonly GivenApproval[],
  { count }: ApprovalRule,
): ApprovalRecord | undefined {
  if (approvals.length < count) return undefined;
  const people = approvals.flatMap(({ person }) => person ?? []);
  const isProven = approvals.every(({ level }) => level === "proven");
  const text = approvals.flatMap(({ comment }) => comment ?? []).join("; ");
  return {
    level: isProven ? "proven" : "elicited",
    ...(text === "" ? {} : { text }),
    ...(people.length === 0 ? {} : { by: people }),
  };
}

/** The approval that came with the call, if its level is high enough and it covers exactly this submission. */
export function approvalFor(
  command: CompleteCommand,
  needs: ApprovalRule,
  digest: string,
): CompleteCommand["approval"] {
  const { approval, approvedSubmission } = command;
  if (approval === undefined || !isSufficient(approval, needs)) return undefined;
  return approvedSubmission !== undefined && approvedSubmission.digest !== digest ? undefined : approval;
}

/** Tells if an approval relayed by the assistant or elicited by the client is enough: never where names or several people are required. */
export function isSufficient({ level }: ApprovalRecord, { level: least, by, count }: ApprovalRule): boolean {
  return (level === "relayed" || level === "elicited") && !isBelow(level, least) && by === undefined && count === 1;
}
