import type { ApprovalRule } from "../gates/approval-rule.ts";
import { type Waived, withoutWaived } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import type { CompleteCommand } from "./command.ts";
import type { OpenStep } from "./decision-context.ts";
import { isEligible, requiredApproval } from "./required-approval.ts";
import type { StepState, Waiver } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

/** Adds what a person waived to an open step, and its gate without that. */
export function withWaivers(
  open: Omit<OpenStep, "gate" | "waived">,
  { waivers = [] }: Pick<CompleteCommand, "waivers">,
  plan: Pick<Plan, "approvalLevel">,
): OpenStep {
  const { step, state } = open;
  // only what is on record now counts, even if the caller proved it before
  const known = new Set((state.waivers ?? []).map((one) => digestOf({ ...one })));
  const proved = waivers.filter((one) => known.has(digestOf({ ...one })));
  const needs = requiredApproval(step.gate, plan);
  const waived = waivedBy(needs, proved);
  const gate = step.gate === undefined ? undefined : withoutWaived(step.gate, waived);
  const follows = proved.findLast(
    (one) => one.follows !== undefined && isEligible(one, needs.level, needs.by),
  )?.follows;
  return { ...open, waived, ...defined({ gate, follows }) };
}

/** Lists what proved waivers waive where a step needs this approval: each name once for each reason. */
export function waivedBy({ level, by }: ApprovalRule, proved: readonly Waiver[]): readonly Waived[] {
  const counted = proved.filter((one) => isEligible(one, level, by));
  const waived = counted.flatMap(({ fields, reason, by: who }) => fields.map((field) => ({ field, reason, by: who })));
  return [...new Map(waived.map((one) => [`${one.field}\n${one.reason}`, one])).values()];
}

/** Lists what the waivers on record name, for people; what counts is proved where it counts. */
export function recordedWaivers({ waivers = [] }: Partial<Pick<StepState, "waivers">>): readonly Waived[] {
  return waivers.flatMap(({ fields, reason, by }) => fields.map((field) => ({ field, reason, by })));
}
