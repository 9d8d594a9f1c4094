import { type Approval, isBelow, usualExpiry } from "../evidence/approval.ts";
import { type ApproveCommand, type DeclineCommand, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import type { StepState } from "./desk.ts";
import type { Event } from "./events.ts";
import { wordAsked } from "./need.ts";
import type { Decision } from "./outcome.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refusals.ts";
import { locate, named, type Place } from "./route.ts";

/** Decides what a person's yes from elsewhere leads to: on record for the very hand-in that waits, where it can count there. */
export function decideApprove(command: ApproveCommand, situation: Situation): Decision {
  const { ref, digest, level, comment, person, signed } = command;
  const { plan, desk, caller, now } = situation;
  const workflow = named(plan, desk, ref.workflow);
  const place = workflow === undefined ? null : locate(desk, workflow);
  const refused = answerRefusal(command, place, situation);
  if (refused !== undefined) return refuse(place, null, refused);
  const needs = needsAt(place, ref.step, situation);
  const seconds = needs.expires ?? usualExpiry;
  // Neither the gate's word nor the person's own lets it count for longer.
  const ends = Math.min(Date.parse(now) + seconds * 1000, Date.parse(signed?.statement.expires ?? "9999"));
  const approved: Event = {
    type: "approved",
    ...stampOf(caller, now),
    ...ref,
    digest,
    level,
    expires: Number.isFinite(ends) ? new Date(ends).toISOString() : now,
    ...(comment === undefined ? {} : { comment }),
    ...(person === undefined ? {} : { person }),
    ...(signed === undefined ? {} : { signed }),
  };
  return { events: [approved], outcome: { kind: "approved", ref, digest }, notices: [] };
}

/** What speaks against an answer from elsewhere: that nothing waits for it, that it was given before, or that it is not enough. */
export function answerRefusal(
  { kind, ref, digest, level = "elicited", person, signed }: ApproveCommand | DeclineCommand,
  place: Place | null,
  situation: Situation,
): Refusal | undefined {
  const { step } = ref;
  const state = place?.run.pass === ref.pass ? place.run.steps.get(step) : undefined;
  const isOpen = state?.status === "started" && state.attempt === ref.attempt;
  if (!isOpen || state.waiting?.digest !== digest) return { kind: "other_hand_in", step };
  if (signed !== undefined && isUsed(state, signed.statement.nonce))
    return { kind: "unproved", step, problem: "it was given before, and counts once" };
  // Whoever may not say yes may still say no: work that somebody objects to does not count.
  if (kind === "decline") return undefined;
  const needs = needsAt(place, step, situation);
  if (isBelow(level, needs.level)) return { kind: "not_enough", step, needs, why: "level" };
  const isAsked = needs.by === undefined || (person !== undefined && needs.by.includes(person.name));
  return isAsked ? undefined : { kind: "not_enough", step, needs, why: "person" };
}

function isUsed({ nonces = [] }: StepState, nonce: string): boolean {
  return nonces.includes(nonce);
}

function needsAt(place: Place | null, name: string, { plan }: Situation): Approval {
  return wordAsked(place?.steps.find((step) => step.name === name)?.gate, plan);
}
