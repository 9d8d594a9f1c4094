import { isBelow } from "../gates/approval-rule.ts";
import { waiverProblem } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import { hasLetterOrDigit } from "../kit/visible-text.ts";
import { submissionEvents } from "./close-step.ts";
import { type AnswerBlockedCommand, type CompleteCommand, stampOf, type WaiveCommand } from "./command.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { findWorkflow, type Position, positionIn } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { isUsedNonce } from "./replay-approval.ts";
import { requiredApproval } from "./required-approval.ts";
import { mergeSubmissions } from "./stream-snapshot.ts";

/** Decides a report that an open step cannot be done as asked: recorded with what was submitted, and nothing is completed. */
export function decideBlocked(
  { submitted: given }: CompleteCommand,
  reason: string,
  { ref, state }: OpenStep,
  { caller, now }: DecisionContext,
): Decision {
  const stamp = stampOf(caller, now);
  const submitted = mergeSubmissions(state.submitted, given);
  const isEmpty = Object.keys(given).length === 0;
  const kept = isEmpty ? [] : submissionEvents({ state, stamp, ref }, given);
  const isKnown = state.blocked?.reason === reason && kept.length === 0;
  const blocked: Event = { type: "blocked", ...stamp, ...ref, reason };
  const events = isKnown ? [] : [...kept, blocked];
  return { events, outcome: { kind: "blocked", ref, submitted, reason }, notices: [] };
}

/** Decides a person's answer to a blocked step, or a waiver of what an open step requires. */
export function decideResponse(command: AnswerBlockedCommand | WaiveCommand, situation: DecisionContext): Decision {
  const { ref, level, person, signed } = command;
  const { plan, stream, caller, now } = situation;
  const workflow = findWorkflow(plan, stream, ref.workflow);
  const position = workflow === undefined ? null : positionIn(stream, workflow);
  const refused = responseRefusal(command, position, situation);
  if (refused !== undefined) return refuse(position, null, refused);
  const proof = defined({ level, person, signed });
  const said =
    command.kind === "answer"
      ? ({ type: "answered", text: command.text } as const)
      : ({ type: "waived", fields: command.fields, reason: command.reason } as const);
  const event: Event = { ...said, ...stampOf(caller, now), ...ref, ...proof };
  return { events: [event], outcome: { kind: "unblocked", ref }, notices: [] };
}

function responseRefusal(
  command: AnswerBlockedCommand | WaiveCommand,
  position: Position | null,
  { plan, stream }: DecisionContext,
): Refusal | undefined {
  const { step: name, attempt, pass, workflow } = command.ref;
  if (stream.archivedAt !== null) return { kind: "archived" };
  const state = position?.run.pass === pass ? position.run.steps.get(name) : undefined;
  const step = position?.steps.find((one) => one.name === name);
  if (state?.status !== "started" || state.attempt !== attempt || step === undefined)
    return { kind: "moved", step: name, workflow, at: position?.current?.name ?? null };
  const { signed, level = "elicited", person } = command;
  if (signed !== undefined && isUsedNonce(state, signed.statement.nonce))
    return { kind: "unproved", step: name, problem: "it was used before, and counts only once" };
  if (command.kind === "answer") return state.blocked === undefined ? { kind: "not_blocked", step: name } : undefined;
  const { gate } = step;
  if (gate?.closed !== undefined) return { kind: "gate_closed", step: name, problem: gate.closed };
  const problem = command.fields.flatMap((field) => waiverProblem(gate, field) ?? [])[0];
  if (problem !== undefined)
    return { kind: "invalid_input", message: problem, fix: "Name what the step requires; waymark show lists it." };
  const needs = requiredApproval(gate, plan);
  if (isBelow(level, needs.level)) return { kind: "not_enough", step: name, needs, why: "level" };
  const isAsked = needs.by === undefined || (person !== undefined && needs.by.includes(person.name));
  return isAsked ? undefined : { kind: "not_enough", step: name, needs, why: "person" };
}

/** The longest text of a report, an answer or a waiver's reason, in characters. */
const maxTextLength = 2000;

/** Says what is wrong with the text of a report, an answer or a waiver's reason; undefined if it can be recorded. */
export function responseTextProblem(name: string, text: string): string | undefined {
  if (!hasLetterOrDigit(text)) return `${name} is empty`;
  return text.length > maxTextLength ? `${name} has ${text.length} characters; at most ${maxTextLength}` : undefined;
}
