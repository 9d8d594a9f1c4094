import { type Approval, isBelow } from "../evidence/approval.ts";
import type { CheckStanding } from "../evidence/check.ts";
import { foundBy, gapsFound, standingsOf, withFound, withoutFound } from "../evidence/check-verdict.ts";
import { type Earlier, listGaps } from "../evidence/gate.ts";
import { digestOf } from "../evidence/json.ts";
import type { Problem } from "../evidence/problem.ts";
import { type CompleteCommand, secondsBetween, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import { nextUnfinished, passedOver, start } from "./decide-open.ts";
import { declinedAt, type GivenApproval, mergeHandedIn, type StepState } from "./desk.ts";
import type { ContentRecord, Event, HandedIn, Judged, Stamp, StepRef, Word } from "./events.ts";
import { judgedBy, shownToAPerson } from "./judged.ts";
import { approvalsCounted, needOf, wordOf } from "./need.ts";
import type { Notice } from "./notice.ts";
import type { Decision, Outcome } from "./outcome.ts";
import { type Refusal, recordedCode } from "./refusal.ts";
import { refuse } from "./refusals.ts";
import { following, isFinished, type Place } from "./route.ts";
import type { Step } from "./workflow.ts";

/** Counts an open step as done if its gate holds and, where one must, a person agreed to what was handed in. */
export function closeStep(command: CompleteCommand, open: OpenStep, situation: Situation): Decision {
  const { caller, now } = situation;
  const attempt: Attempt = {
    ...open,
    situation,
    stamp: stampOf(caller, now),
    handed: mergeHandedIn(open.state.handed, command.handed),
    judged: { judgedBy: judgedBy(open.step, open.place.workflow, situation.plan, command.rules) },
  };
  const refusal = gateRefusal(command, attempt) ?? checksRefusal(command, attempt);
  if (refusal !== null) return turnedDown(command, attempt, refusal);
  if (command.checks?.some(({ status }) => status === "running")) return checking(command, attempt, command.checks);
  const handed = withFacts(attempt.handed, open.step, command);
  const digest = digestOf(shownToAPerson(handed, command));
  const claimed = claimedOf(attempt.handed, open.step);
  const proved: Attempt = { ...attempt, handed, claimed, judged: { ...attempt.judged, digest } };
  const needs = needOf(open.step, situation.plan, command);
  if (needs === undefined) return counted(command, proved, { level: "auto" });
  const given = approvalsCounted(needs, onRecord(command, open), digest, now);
  const word = wordOf(given, needs) ?? wordFor(command, needs, digest);
  const declined = word?.level === "relayed" ? declinedBefore(proved, digest) : undefined;
  if (declined !== undefined) return declined;
  return word === undefined ? awaiting(command, proved, { digest, needs, given }) : counted(command, proved, word);
}

/** Whether only the checks of its gate are left to be looked at before an open step can be judged: none is run for less. */
export function isReadyForChecks(command: CompleteCommand, open: OpenStep): boolean {
  const handed = mergeHandedIn(open.state.handed, command.handed);
  return gateRefusal(command, { ...open, handed }) === null;
}

/** What is handed in, with what checks found in the evidence. */
function withFacts(handed: HandedIn, { gate }: Step, { checks }: CompleteCommand): HandedIn {
  const found = foundBy(gate?.checks ?? [], checks);
  return found.size === 0 ? handed : { ...handed, evidence: withFound(handed.evidence ?? {}, found) };
}

/** The fields that checks give and that were handed in all the same. */
function claimedOf({ evidence = {} }: HandedIn, { gate }: Step): readonly string[] {
  return [...foundBy(gate?.checks ?? []).keys()].filter(
    (field) => Object.hasOwn(evidence, field) && evidence[field] !== null,
  );
}

/** A step that is open, and where. */
export type OpenStep = {
  readonly ref: StepRef;
  readonly step: Step;
  readonly state: StepState;
  readonly place: Place;
};

/** A try to complete a step, with all it is decided from. */
type Attempt = OpenStep & {
  readonly situation: Situation;
  readonly stamp: Stamp;
  /** Everything that would count: what was kept before, and what this call hands in. */
  readonly handed: HandedIn;
  readonly judged: Judged;
  readonly claimed?: readonly string[];
};

/** The first thing that stands in the way: a gate that cannot be read, evidence that is missing, a rule that is broken. */
function gateRefusal(
  command: CompleteCommand,
  { step, handed, place }: Pick<Attempt, "step" | "handed" | "place">,
): GateRefusal | null {
  const { gate, name } = step;
  if (gate === undefined) return null;
  if (gate.closed !== undefined) return { kind: "gate_closed", step: name, problem: gate.closed };
  const gaps = listGaps(withoutFound(gate), handed.evidence ?? {}, command.observed, earlierIn(place));
  if (gaps.length > 0) return { kind: "gaps", step: name, gaps };
  const violations = (command.violations ?? []).filter(({ severity }) => severity === "error");
  return gate.rulesHold && violations.length > 0 ? { kind: "violations", step: name, violations } : null;
}

/** What the checks of a gate say against it; those that are under way say nothing yet, and one that nobody looked at is not passed. */
function checksRefusal(command: CompleteCommand, { step, handed, place }: Attempt): GateRefusal | null {
  const { gate, name } = step;
  if (gate?.checks === undefined) return null;
  const checks = standingsOf(gate.checks, command.checks);
  if (checks.some(({ status }) => status === "untrusted")) return { kind: "untrusted", step: name, checks };
  if (checks.some(({ status }) => status === "running")) return null;
  const gaps = gapsFound(gate, handed.evidence ?? {}, checks, command.observed, earlierIn(place));
  if (checks.some(({ status }) => status !== "passed")) return { kind: "checks", step: name, checks, gaps };
  return gaps.length > 0 ? { kind: "gaps", step: name, gaps, checks } : null;
}

/** What the steps before this one proved. */
function earlierIn({ run }: Place): Earlier {
  const completed = [...run.steps].filter(([, { status }]) => status === "completed");
  return new Map(completed.map(([name, { handed }]) => [Number(name), handed.evidence ?? {}]));
}

type GateRefusal = Refusal & { readonly kind: "gaps" | "violations" | "checks" | "untrusted" | "gate_closed" };

/** Turns a hand-in down. What was handed in stays handed in; evidence that was turned down is handed in again with the rest. */
function turnedDown(command: CompleteCommand, attempt: Attempt, refusal: GateRefusal): Decision {
  const { place, ref, stamp, judged, state } = attempt;
  const { evidence, ...rest } = command.handed;
  const isDisproved = refusal.kind === "gaps" || refusal.kind === "gate_closed";
  const kept = isDisproved ? rest : command.handed;
  const refused: Event = {
    type: "refused",
    ...stamp,
    ...ref,
    ...judged,
    code: recordedCode(refusal.kind),
    ...("gaps" in refusal && refusal.gaps.length > 0 ? { missing: refusal.gaps } : {}),
    ...(refusal.kind === "violations" ? { violations: refusal.violations } : {}),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const events = [...keep(attempt, kept), ...newlyChecked(attempt, command), refused];
  return { ...refuse(place, ref, refusal, mergeHandedIn(state.handed, kept)), events };
}

/** What people said yes to elsewhere, as far as it still stands: a no may have come meanwhile. */
function onRecord({ approvals = [] }: CompleteCommand, { state }: OpenStep): readonly GivenApproval[] {
  const known = new Set((state.approvals ?? []).map((one) => digestOf({ ...one })));
  return approvals.filter((one) => known.has(digestOf({ ...one })));
}

/** The word that came with the call, where it is enough: of the level that is needed, and given to exactly this hand-in. */
function wordFor(command: CompleteCommand, needs: Approval, digest: string): CompleteCommand["word"] {
  const { word, agreed } = command;
  if (word === undefined || !isEnough(word, needs)) return undefined;
  return agreed !== undefined && agreed.digest !== digest ? undefined : word;
}

/** Nobody knows of such a word whose it is: where names or several people are asked for, it is not enough. */
function isEnough({ level }: Word, { level: least, by, count }: Approval): boolean {
  return (level === "relayed" || level === "elicited") && !isBelow(level, least) && by === undefined && count === 1;
}

/** After a person's no to this very hand-in nobody can pass on a yes. */
function declinedBefore(
  { step, place, ref, handed, situation: { desk } }: Attempt,
  digest: string,
): Decision | undefined {
  const no = declinedAt(desk, ref, digest);
  if (no === undefined) return undefined;
  const said = no.reason === undefined ? {} : { reason: no.reason };
  return refuse(place, ref, { kind: "declined", step: step.name, ...said }, handed);
}

/** Everything before the checks is there, and they are under way. */
function checking(command: CompleteCommand, attempt: Attempt, checks: readonly CheckStanding[]): Decision {
  const { ref, handed } = attempt;
  const events = [...keep(attempt, command.handed), ...newlyChecked(attempt, command)];
  return { events, outcome: { kind: "checking", ref, handed, checks }, notices: [] };
}

function awaiting(
  command: CompleteCommand,
  attempt: Attempt,
  { digest, needs, given }: Pick<Outcome & { kind: "awaiting" }, "digest" | "needs" | "given">,
): Decision {
  const { handed: now, violations, checks, word, handIn } = command;
  const { ref, handed, judged, state, situation } = attempt;
  const no = declinedAt(situation.desk, ref, digest);
  return {
    events: [...keep(attempt, now, judged, handIn), ...newlyChecked(attempt, command)],
    outcome: {
      kind: "awaiting",
      ref,
      handed,
      digest,
      ...(violations === undefined ? {} : { violations }),
      ...(checks === undefined ? {} : { checks }),
      unanswered: (state.asked ?? []).some((one) => one.digest === digest && one.by === situation.caller.id),
      declined: no !== undefined,
      ...(no?.reason === undefined ? {} : { reason: no.reason }),
      needs,
      given,
      ...(word === undefined || isEnough(word, needs) ? {} : { below: word.level }),
    },
    notices: outsideEdits(command, attempt),
  };
}

function counted(command: CompleteCommand, attempt: Attempt, word: NonNullable<CompleteCommand["word"]>): Decision {
  const { step, state, place, situation, stamp, ref, handed, claimed = [], judged } = attempt;
  const { workflow } = place;
  const { plan, desk, now } = situation;
  const next = following(place, step.name);
  const isEnd = next === null && workflow.closed === undefined;
  // Where a definition is broken nothing is handed on: its word on what follows cannot be read, or would lead nowhere.
  const problem = step.broken ?? (next === null ? workflow.closed : unopenable(next, place));
  const auto = step.auto === "if_proved" ? word.level === "auto" : step.auto;
  const said = problem !== undefined || next === null ? null : { step: next.name, workflow: workflow.name, auto };
  const notices: Notice[] = [
    ...(problem === undefined || isEnd ? [] : [{ kind: "successor_closed", step: step.name, problem } as const]),
    ...outsideEdits(command, attempt),
  ];
  const violations = command.violations === undefined ? {} : { violations: command.violations };
  const checks = command.checks === undefined ? {} : { checks: command.checks };
  const completed: Event = {
    type: "completed",
    ...stamp,
    ...ref,
    ...handed,
    ...judged,
    duration: secondsBetween(state.startedAt, now),
    word,
    fingerprint: command.fingerprint,
    successor: next?.name ?? null,
    next: said,
    ...(notices.length === 0 ? {} : { notices }),
    ...(claimed.length === 0 ? {} : { claimed }),
    ...(command.checks === undefined ? {} : { checks: command.checks.map(({ name }) => name) }),
    finished: isEnd,
    ...violations,
  };
  const { steps } = place;
  const between = steps.slice(steps.indexOf(step) + 1, next === null ? steps.length : steps.indexOf(next));
  const opened =
    plan.manner.completing === "opens the next" && next !== null
      ? start({ kind: "open" }, next, place, situation).events
      : passedOver(between, place, stamp);
  const events = [...newlyChecked(attempt, command), completed, ...opened];
  if (!isEnd)
    return { events, outcome: { kind: "completed", ref, handed, next: said, ...violations, ...checks }, notices };
  const nextWorkflow = nextUnfinished(plan, workflow, (candidate) => isFinished(desk, candidate));
  const outcome = {
    kind: "finished",
    workflow: workflow.name,
    ref,
    nextWorkflow,
    handed,
    ...violations,
    ...checks,
  } as const;
  return { events, outcome, notices };
}

/** What is said of changes outside what the step may change: it is no demand, and keeps nothing from counting. */
function outsideEdits(
  { outside }: CompleteCommand,
  { step: { name: step }, state: { edits = [] } }: OpenStep,
): Notice[] {
  if (outside === undefined) return [];
  if ("unknown" in outside) return [{ kind: "changes_unknown", step, why: outside.unknown }];
  const { files } = outside;
  const told = files.slice(0, 5);
  return files.length === 0
    ? []
    : [{ kind: "changed_outside", step, edits, files: told, more: files.length - told.length }];
}

/** Puts our own readable record of a hand-in on record with the completion that it tells of. */
export function withRecord({ events, outcome, notices }: Decision, record: ContentRecord): Decision {
  const added = { content: [record] };
  return {
    events: events.map((one) => (one.type === "completed" ? { ...one, ...mergeHandedIn(one, added) } : one)),
    outcome: "handed" in outcome ? { ...outcome, handed: mergeHandedIn(outcome.handed, added) } : outcome,
    notices,
  };
}

function unopenable({ name, broken }: Step, { run }: Place): Problem | undefined {
  return run.steps.has(name) ? undefined : broken;
}

/** What was found out just now, and is not on record yet. */
function newlyChecked({ state, stamp, ref }: Attempt, { checks = [] }: CompleteCommand): Event[] {
  // What a command came to is on record already, also where another caller was told that it failed.
  const told = (state.failed ?? []).filter(({ seal }) => seal !== undefined);
  const known = new Set([...(state.checks ?? []), ...told].map((one) => digestOf(one)));
  const results = checks.flatMap((one) => (one.status === "passed" || one.status === "failed" ? [one] : []));
  return results
    .filter((result) => !known.has(digestOf(result)))
    .map((result) => ({ type: "checked", ...stamp, ...ref, result }));
}

/** What is handed in goes on record, unless it is there already: an asking client sends everything again. */
function keep({ state, stamp, ref }: Attempt, given: HandedIn, judged: Judged = {}, handIn?: string): Event[] {
  const isNew = JSON.stringify(mergeHandedIn(state.handed, given)) !== JSON.stringify(mergeHandedIn({}, state.handed));
  const isSame = !isNew && state.waiting?.digest === judged.digest;
  const fingerprint = handIn === undefined ? {} : { fingerprint: handIn };
  return isSame ? [] : [{ type: "handed_in", ...stamp, ...ref, ...given, ...judged, ...fingerprint }];
}
