import { isBelow } from "../gates/approval-rule.ts";
import { operandsOf } from "../gates/condition.ts";
import type { Gate } from "../gates/gate.ts";
import type { Routing } from "../gates/route.ts";
import { fieldsWaivedWith, waiverProblem } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import { hasLetterOrDigit } from "../kit/visible-text.ts";
import { submissionEvents } from "./close-step.ts";
import { type AnswerBlockedCommand, type CompleteCommand, stampOf, type WaiveCommand } from "./command.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { Event } from "./events.ts";
import { passBound } from "./follow-route.ts";
import type { StepItems } from "./item-state.ts";
import { isSettled, itemField } from "./items.ts";
import type { Decision } from "./outcome.ts";
import { findWorkflow, type Position, positionIn } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { replay } from "./replay.ts";
import { isUsedNonce } from "./replay-approval.ts";
import { requiredApproval } from "./required-approval.ts";
import { mergeSubmissions } from "./stream-snapshot.ts";
import type { Step } from "./workflow.ts";

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
  const { follows } = command;
  const said =
    command.kind === "answer"
      ? ({ type: "answered", text: command.text, ...defined({ follows: command.follows }) } as const)
      : ({ type: "waived", fields: command.fields, reason: command.reason, ...defined({ follows }) } as const);
  const event: Event = { ...said, ...stampOf(caller, now), ...ref, ...proof };
  const { bound } = stream.runs.get(ref.workflow)?.steps.get(ref.step)?.blocked ?? {};
  const more =
    command.kind === "answer" && command.follows !== undefined && workflow !== undefined
      ? passBound({ follows: command.follows, bound }, ref, workflow, replay([event], stream), situation)
      : [];
  return { events: [event, ...more], outcome: { kind: "unblocked", ref }, notices: [] };
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
  const isAtBound = state?.status === "completed" && state.blocked?.bound !== undefined;
  if ((state?.status !== "started" && !isAtBound) || state?.attempt !== attempt || step === undefined)
    return { kind: "moved", step: name, workflow, at: position?.current?.name ?? null };
  const { signed, level = "elicited", person } = command;
  if (signed !== undefined && isUsedNonce(state, signed.statement.nonce))
    return { kind: "unproved", step: name, problem: "it was used before, and counts only once" };
  if (command.kind === "answer" && state.blocked === undefined) return { kind: "not_blocked", step: name };
  if (isAtBound !== (command.kind === "answer" && command.follows !== undefined)) return boundRefusal(isAtBound);
  if (command.kind === "answer" && !isAtBound) return undefined;
  const { gate } = step;
  if (gate?.closed !== undefined) return { kind: "gate_closed", step: name, problem: gate.closed };
  const problem = command.kind === "waive" ? waiveProblem(command, step, position) : undefined;
  if (problem !== undefined) return problem;
  const needs = requiredApproval(gate, plan);
  if (isBelow(level, needs.level)) return { kind: "not_enough", step: name, needs, why: "level" };
  const isAsked = needs.by === undefined || (person !== undefined && needs.by.includes(person.name));
  return isAsked ? undefined : { kind: "not_enough", step: name, needs, why: "person" };
}

function boundRefusal(isAtBound: boolean): Refusal {
  return isAtBound
    ? {
        kind: "invalid_input",
        message: "the step is completed and led back as often as it may, so only --again or --continue can follow",
        fix: "Answer with --again for one more round, or with --continue to go on to the next step.",
      }
    : {
        kind: "invalid_input",
        message: "--again and --continue are for a step that led back as often as it may",
        fix: "Answer without them.",
      };
}

/** Says why fields cannot be waived like this; what routes read needs a choice of what follows. */
function waiveProblem(
  { fields, follows }: WaiveCommand,
  { gate, name, routing }: Step,
  position: Position | null,
): Refusal | undefined {
  const no = (message: string, fix: string): Refusal => ({ kind: "invalid_input", message, fix });
  const { items } = position?.run.steps.get(name) ?? {};
  const problem = fields.flatMap((field) => fieldProblem(gate, items, field) ?? [])[0];
  if (problem !== undefined) return no(problem, "Name what the step requires; waymark show lists it.");
  const read = routedFields(routing);
  const routed = fieldsWaivedWith(gate, fields).find((field) => read.includes(field));
  const known = position === null ? [] : continuations(position, name);
  const fix = `Add --then with one of: ${known.join(", ")}.`;
  if (routed !== undefined && follows === undefined)
    return no(`routes read ${routed}, so what follows must be chosen`, fix);
  if (follows === undefined || (routed !== undefined && known.includes(follows))) return undefined;
  return routed === undefined
    ? no("no route reads what is waived, so nothing has to be chosen", "Leave --then out.")
    : no(`--then ${follows} names no step or outcome`, fix);
}

/** Says why a field, a check or an item of a step cannot be waived; undefined if it can. */
export function fieldProblem(gate: Gate | undefined, items: StepItems | undefined, field: string): string | undefined {
  if (items === undefined || !field.startsWith(itemField(""))) return waiverProblem(gate, field);
  const item = items.items.find(({ id }) => itemField(id) === field);
  if (item === undefined) return `this step has no item ${field.slice(itemField("").length)}`;
  return isSettled(item) ? `the item ${item.id} is already settled` : undefined;
}

/** The fields of a step that its routes read. */
export function routedFields({ routes = [] }: Routing = {}): readonly string[] {
  return routes
    .flatMap(({ when }) => (when === undefined ? [] : operandsOf(when)))
    .flatMap((one) => {
      if ("field" in one && one.step === undefined) return [one.field];
      return "lengthOf" in one && one.step === undefined ? [one.lengthOf] : [];
    });
}

/** The continuations a person can choose after a step: the next one, a step up to it, or an outcome. */
export function continuations({ steps, workflow }: Position, step: string): readonly string[] {
  const before = steps.slice(0, steps.findIndex(({ name }) => name === step) + 1);
  return ["next", ...before.map(({ name }) => name), ...(workflow.outcomes ?? [])];
}

/** The longest text of a report, an answer or a waiver's reason, in characters. */
const maxTextLength = 2000;

/** Says what is wrong with the text of a report, an answer or a waiver's reason; undefined if it can be recorded. */
export function responseTextProblem(name: string, text: string): string | undefined {
  if (!hasLetterOrDigit(text)) return `${name} is empty`;
  return text.length > maxTextLength ? `${name} has ${text.length} characters; at most ${maxTextLength}` : undefined;
}
