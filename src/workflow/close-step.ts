import type { CheckStatus } from "../gates/check.ts";
import { foundFieldsOf, gapsFound, statusesOf, withFoundValues, withoutFoundFields } from "../gates/check-verdict.ts";
import type { Earlier, Gap } from "../gates/gate.ts";
import { listGaps } from "../gates/judge-evidence.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import { type CompleteCommand, stampOf } from "./command.ts";
import { type Attempt, completeAttempt, newCheckEvents, outsideEditNotices } from "./complete-attempt.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { ContentRecord, Event, JudgedBy, JudgedCondition, Submission } from "./events.ts";
import { itemsNamedGap } from "./follow-route.ts";
import { itemsDigest, itemsGap, withCollected } from "./items.ts";
import { approvedContent, judgedByHash } from "./judged-by-hash.ts";
import type { Decision, Outcome } from "./outcome.ts";
import { factsOf, judge, type Position } from "./position.ts";
import { type Refusal, refusalEventCode } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { approvalFor, approvalNeeded, combineApprovals, countedApprovals, isSufficient } from "./required-approval.ts";
import { type GivenApproval, mergeSubmissions, rejectionOf, type StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan, Step } from "./workflow.ts";

/** Completes an open step if its gate passes and, where required, a person approved the submission. */
export function closeStep(command: CompleteCommand, open: OpenStep, situation: DecisionContext): Decision {
  const { caller, now } = situation;
  const attempt: Attempt = {
    ...open,
    situation,
    stamp: stampOf(caller, now),
    submitted: submittedNow(command, open),
    judged: { judgedBy: judgedByHash(open.step, open.position.workflow, situation.plan, command.rules) },
  };
  const refusal = gateRefusal(command, attempt, situation.listProblem) ?? checksRefusal(command, attempt);
  if (refusal !== null) return refuseSubmission(command, attempt, refusal);
  if (command.checks?.some(({ status }) => status === "running")) return awaitChecks(command, attempt, command.checks);
  const checked = { ...attempt, ...withCheckFacts(attempt.submitted, open, command) };
  const { submitted } = checked;
  const unnamed = itemsNamedGap(open, submitted, situation.stream);
  if (unnamed !== undefined)
    return refuseSubmission(command, attempt, { kind: "gaps", step: open.step.name, gaps: [unnamed] });
  const inputs = situation.stream.session?.inputs;
  const items = open.state.items === undefined ? undefined : itemsDigest(open.state.items);
  const found = { ...command, waived: open.waived, ...defined({ inputs, items }) };
  const digest = digestOf(approvedContent(submitted, found));
  const asked = approvalAsked(open, submitted, situation);
  const proved: Attempt = {
    ...checked,
    judged: { ...attempt.judged, digest },
    ...defined({ items }),
    ...(asked.holds === false ? { unasked: asked.judged } : {}),
  };
  const needs = approvalNeeded(asked.step, situation.plan, found);
  if (needs === undefined) return completeAttempt(command, proved, { level: "auto" });
  const given = countedApprovals(needs, unrevokedApprovals(command, open), digest, now);
  const word = combineApprovals(given, needs) ?? approvalFor(command, needs, digest);
  const declined = word === undefined || word.level === "proven" ? undefined : refuseRejected(proved, digest);
  if (declined !== undefined) return declined;
  return word === undefined
    ? awaitApproval(command, proved, { digest, needs, given })
    : completeAttempt(command, proved, word);
}

/** Everything that would count: what was kept before, what this call submits, and what its items gave. */
function submittedNow(command: CompleteCommand, { state, step, gate }: OpenStep): Submission {
  const submitted = mergeSubmissions(state.submitted, command.submitted);
  const { calls } = step.routing ?? {};
  return calls === undefined ? submitted : withCollected(submitted, state, calls, gate);
}

/** Tells if a person must approve a step whose items are all there is to submit. */
export function needsPersonNow(step: Step, position: Position, stream: StreamSnapshot, plan: Plan): boolean {
  const run = position.run;
  const { submitted = {}, items } = run.steps.get(step.name) ?? {};
  const { calls } = step.routing ?? {};
  const given = calls === undefined ? submitted : withCollected(submitted, defined({ items }), calls, step.gate);
  const asked = approvalAsked({ step, position }, given, { stream });
  return approvalNeeded(asked.step, plan, {}) !== undefined;
}

/** The step with the approval of its gate only if the approval's own condition is not false. */
function approvalAsked(
  { step, position }: Pick<OpenStep, "step" | "position">,
  { evidence = {} }: Submission,
  { stream }: Pick<DecisionContext, "stream">,
): { readonly step: Step; readonly holds?: boolean | undefined; readonly judged?: JudgedCondition } {
  const { approvalWhen } = step.routing ?? {};
  if (approvalWhen === undefined || step.gate === undefined) return { step };
  const found = judge(approvalWhen, factsOf(position.run, stream, evidence));
  return { step: found.holds === false ? { ...step, gate: { ...step.gate, approval: false } } : step, ...found };
}

/** Tells if only the checks of its gate are left to judge; no check runs before that. */
export function isReadyForChecks(command: CompleteCommand, open: OpenStep): boolean {
  return gateRefusal(command, { ...open, submitted: submittedNow(command, open) }) === null;
}

/** The submission, with the facts that checks found as evidence; `claimed` are those that the assistant submitted as well. */
function withCheckFacts(
  submitted: Submission,
  { gate }: OpenStep,
  { checks }: CompleteCommand,
): Pick<Attempt, "submitted" | "claimed"> {
  if (gate?.checks === undefined) return { submitted };
  const { evidence = {} } = submitted;
  const found = foundFieldsOf(gate.checks, checks);
  const claimed = [...found.keys()].filter((field) => Object.hasOwn(evidence, field) && evidence[field] !== null);
  return {
    submitted: found.size === 0 ? submitted : { ...submitted, evidence: withFoundValues(evidence, found) },
    claimed,
  };
}

/** The first refusal of a gate: unreadable, evidence missing, or a rule broken. */
function gateRefusal(
  command: CompleteCommand,
  { step, gate, submitted, position, state, waived }: Omit<Attempt, "situation" | "stamp" | "judged">,
  listProblem?: string,
): GateRefusal | null {
  const { name, auto } = step;
  const unsettled = step.routing?.calls === undefined ? undefined : itemsGap(state, waived, listProblem);
  // a person must not be asked to agree to nothing
  const isEvidenceAsked = gate?.requirements.some(({ required }) => required) === true;
  const isJudged = !isEvidenceAsked && (auto !== true || gate?.approval === true);
  const answers = [
    ...(unsettled === undefined ? [] : [unsettled]),
    ...(command.lacksAnswers === true && isJudged ? [answersGap] : []),
  ];
  if (gate === undefined) return answers.length === 0 ? null : { kind: "gaps", step: name, gaps: answers };
  if (gate.closed !== undefined) return { kind: "gate_closed", step: name, problem: gate.closed };
  const lacking = listGaps(
    gate.checks === undefined ? gate : withoutFoundFields(gate),
    submitted.evidence ?? {},
    command.observed,
    earlierEvidence(position),
  );
  const gaps = [...answers, ...lacking];
  if (gaps.length > 0) return { kind: "gaps", step: name, gaps };
  const violations = (command.violations ?? []).filter(({ severity }) => severity === "error");
  return gate.rulesHold && violations.length > 0 ? { kind: "violations", step: name, violations } : null;
}

const answersGap: Gap = {
  field: "outputs",
  kind: "required",
  text: "outputs (required: your answers to what this action asks, for the person to judge)",
};

/** The refusal by a gate's checks; running ones refuse nothing yet, and one without a result has not passed. */
function checksRefusal(command: CompleteCommand, { step, gate, submitted, position }: Attempt): GateRefusal | null {
  const { name } = step;
  if (gate?.checks === undefined) return null;
  const checks = statusesOf(gate.checks, command.checks);
  if (checks.some(({ status }) => status === "untrusted")) return { kind: "untrusted", step: name, checks };
  if (checks.some(({ status }) => status === "running")) return null;
  const gaps = gapsFound(gate, submitted.evidence ?? {}, checks, command.observed, earlierEvidence(position));
  if (checks.some(({ status }) => status !== "passed")) return { kind: "checks", step: name, checks, gaps };
  return gaps.length > 0 ? { kind: "gaps", step: name, gaps, checks } : null;
}

/** The evidence of the steps before this one. */
function earlierEvidence({ run }: Position): Earlier {
  const completed = [...run.steps].filter(([, { status }]) => status === "completed");
  return new Map(completed.map(([name, { submitted }]) => [Number(name), submitted.evidence ?? {}]));
}

type GateRefusal = Refusal & { readonly kind: "gaps" | "violations" | "checks" | "untrusted" | "gate_closed" };

/** Refuses a submission; it is kept, except for the evidence that was refused. */
function refuseSubmission(command: CompleteCommand, attempt: Attempt, refusal: GateRefusal): Decision {
  const { position, ref, stamp, judged, state } = attempt;
  const { evidence, ...rest } = command.submitted;
  const isDisproved = refusal.kind === "gaps" || refusal.kind === "gate_closed";
  const kept = isDisproved ? rest : command.submitted;
  const refused: Event = {
    type: "refused",
    ...stamp,
    ...ref,
    ...judged,
    code: refusalEventCode(refusal.kind),
    ...("gaps" in refusal && refusal.gaps.length > 0 ? { missing: refusal.gaps } : {}),
    ...(refusal.kind === "violations" ? { violations: refusal.violations } : {}),
    ...defined({ evidence }),
  };
  const events = [...submissionEvents(attempt, kept), ...newCheckEvents(attempt, command.checks), refused];
  return { ...refuse(position, ref, refusal, mergeSubmissions(state.submitted, kept)), events };
}

/** The approvals given elsewhere that still count; a rejection may have come since. */
function unrevokedApprovals({ approvals = [] }: CompleteCommand, { state }: OpenStep): readonly GivenApproval[] {
  const known = new Set((state.approvals ?? []).map((one) => digestOf({ ...one })));
  return approvals.filter((one) => known.has(digestOf({ ...one })));
}

/** After a person rejected this exact submission, only a signed approval of it counts: any other may be someone else's. */
function refuseRejected(
  { step, position, ref, submitted, situation: { stream } }: Attempt,
  digest: string,
): Decision | undefined {
  const no = rejectionOf(stream, ref, digest);
  if (no === undefined) return undefined;
  const said = defined({ reason: no.reason });
  return refuse(position, ref, { kind: "declined", step: step.name, ...said }, submitted);
}

/** Nothing before the checks is missing, and they are running. */
function awaitChecks(command: CompleteCommand, attempt: Attempt, checks: readonly CheckStatus[]): Decision {
  const { ref, submitted } = attempt;
  const events = [...submissionEvents(attempt, command.submitted), ...newCheckEvents(attempt, checks)];
  return { events, outcome: { kind: "checking", ref, submitted, checks }, notices: [] };
}

function awaitApproval(
  command: CompleteCommand,
  attempt: Attempt,
  { digest, needs, given }: Pick<Outcome & { kind: "awaiting" }, "digest" | "needs" | "given">,
): Decision {
  const { submitted: now, violations, checks, approval, submissionFingerprint: submission } = command;
  const { ref, submitted, judged, state, situation } = attempt;
  const no = rejectionOf(situation.stream, ref, digest);
  return {
    events: [...submissionEvents(attempt, now, judged, submission), ...newCheckEvents(attempt, checks)],
    outcome: {
      kind: "awaiting",
      ref,
      submitted,
      digest,
      ...defined({ violations, checks }),
      unanswered: (state.unanswered ?? []).some((one) => one.digest === digest && one.by === situation.caller.id),
      declined: no !== undefined,
      ...(no?.reason === undefined ? {} : { reason: no.reason }),
      needs,
      given,
      ...(approval === undefined || isSufficient(approval, needs) ? {} : { insufficientLevel: approval.level }),
    },
    notices: outsideEditNotices(command, attempt),
  };
}

/** Adds our readable record of a submission to its completion. */
export function withReadableRecord({ events, outcome, notices }: Decision, record: ContentRecord): Decision {
  const added = { content: [record] };
  return {
    events: events.map((one) => (one.type === "completed" ? { ...one, ...mergeSubmissions(one, added) } : one)),
    outcome: "submitted" in outcome ? { ...outcome, submitted: mergeSubmissions(outcome.submitted, added) } : outcome,
    notices,
  };
}

/** Records a submission unless it is recorded already: a client that asks the person sends everything again. */
export function submissionEvents(
  { state, stamp, ref }: Pick<Attempt, "state" | "stamp" | "ref">,
  given: Submission,
  judged: JudgedBy = {},
  submission?: string,
): Event[] {
  const isNew =
    JSON.stringify(mergeSubmissions(state.submitted, given)) !== JSON.stringify(mergeSubmissions({}, state.submitted));
  const isSame = !isNew && state.waiting?.digest === judged.digest;
  const fingerprint = defined({ fingerprint: submission });
  return isSame ? [] : [{ type: "handed_in", ...stamp, ...ref, ...given, ...judged, ...fingerprint }];
}
