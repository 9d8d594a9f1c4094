import { type ApprovalRule, defaultExpiry, isBelow } from "../gates/approval-rule.ts";
import { defined } from "../kit/defined.ts";
import { type ApproveCommand, type DeclineCommand, stampOf } from "./command.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { findWorkflow, type Position, positionIn } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { isUsedNonce } from "./replay-approval.ts";
import { requiredApproval } from "./required-approval.ts";
import { rejectionOf } from "./stream-snapshot.ts";

/** Decides an approval given elsewhere: recorded for exactly the submission that is waiting, if it can count. */
export function decideApprove(command: ApproveCommand, situation: DecisionContext): Decision {
  const { ref, digest, level, comment, person, signed } = command;
  const { plan, stream, caller, now } = situation;
  const workflow = findWorkflow(plan, stream, ref.workflow);
  const position = workflow === undefined ? null : positionIn(stream, workflow);
  const refused = answerRefusal(command, position, situation);
  if (refused !== undefined) return refuse(position, null, refused);
  const needs = approvalRequiredAt(position, ref.step, situation);
  const seconds = needs.expires ?? defaultExpiry;
  // neither the gate nor the person's own statement lets it count for longer
  const ends = Math.min(Date.parse(now) + seconds * 1000, Date.parse(signed?.statement.expires ?? "9999"));
  const approved: Event = {
    type: "approved",
    ...stampOf(caller, now),
    ...ref,
    digest,
    level,
    expires: Number.isFinite(ends) ? new Date(ends).toISOString() : now,
    ...defined({ comment, person, signed }),
  };
  return { events: [approved], outcome: { kind: "approved", ref, digest }, notices: [] };
}

/** The reason an answer from elsewhere is refused: nothing is waiting for it, it was used before, or it is not enough. */
export function answerRefusal(
  { kind, ref, digest, level = "elicited", person, signed }: ApproveCommand | DeclineCommand,
  position: Position | null,
  situation: DecisionContext,
): Refusal | undefined {
  const { step } = ref;
  const state = position?.run.pass === ref.pass ? position.run.steps.get(step) : undefined;
  const isOpen = state?.status === "started" && state.attempt === ref.attempt;
  if (!isOpen || state.waiting?.digest !== digest) return { kind: "other_submission", step };
  if (signed !== undefined && isUsedNonce(state, signed.statement.nonce))
    return { kind: "unproved", step, problem: "it was used before, and counts only once" };
  // a person who may not approve may still reject
  if (kind === "decline") return undefined;
  if (level !== "proven" && rejectionOf(situation.stream, ref, digest) !== undefined)
    return { kind: "rejected_before", step };
  const needs = approvalRequiredAt(position, step, situation);
  if (isBelow(level, needs.level)) return { kind: "not_enough", step, needs, why: "level" };
  const isAsked = needs.by === undefined || (person !== undefined && needs.by.includes(person.name));
  return isAsked ? undefined : { kind: "not_enough", step, needs, why: "person" };
}

function approvalRequiredAt(position: Position | null, name: string, { plan }: DecisionContext): ApprovalRule {
  return requiredApproval(position?.steps.find((step) => step.name === name)?.gate, plan);
}
