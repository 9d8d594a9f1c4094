import type { CheckStatus, WantedPart } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import { type CompleteCommand, secondsBetween } from "./command.ts";
import { nextUnfinished } from "./decide-open.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { Event, JudgedBy, JudgedCondition, Stamp, Submission } from "./events.ts";
import { follow, routeAfter } from "./follow-route.ts";
import type { Notice } from "./notice.ts";
import type { Decision } from "./outcome.ts";
import { finalOutcome, isFinished, nextStepAfter } from "./position.ts";
import { replay } from "./replay.ts";

/** A try to complete a step, with everything the decision depends on. */
export type Attempt = OpenStep & {
  readonly situation: DecisionContext;
  readonly stamp: Stamp;
  /** Everything that would count: what was kept before, and what this call submits. */
  readonly submitted: Submission;
  readonly judged: JudgedBy;
  readonly claimed?: readonly string[];
  /** The digest of its items. */
  readonly items?: string | undefined;
  /** The condition that made an approval unnecessary. */
  readonly unasked?: JudgedCondition | undefined;
};

/** Completes an attempt; what follows is decided on the stream with the completion in it, and recorded with it. */
export function completeAttempt(
  command: CompleteCommand,
  attempt: Attempt,
  word: NonNullable<CompleteCommand["approval"]>,
): Decision {
  const { step, ref, position, situation, submitted, follows } = attempt;
  const { workflow } = position;
  const { plan, stream } = situation;
  const found = newCheckEvents(attempt, command.checks);
  const draft = completedEvent(command, attempt, word);
  const moved = replay([...found, draft], stream);
  const run = moved.runs.get(workflow.name) ?? position.run;
  const following = routeAfter(step, run, moved, follows);
  const { events, next, isEnd, outcome } = follow(following, ref, workflow, moved, situation);
  // a broken definition names no successor: what it says of the next step is unreadable or leads nowhere
  const problem =
    step.broken ?? (next === null ? workflow.closed : position.run.steps.has(next.name) ? undefined : next.broken);
  const auto = step.auto === "if_proved" ? word.level === "auto" : step.auto;
  const said = problem !== undefined || next === null ? null : { step: next.name, workflow: workflow.name, auto };
  const notices: Notice[] = [
    ...(problem === undefined || isEnd ? [] : [{ kind: "successor_closed", step: step.name, problem } as const]),
    ...outsideEditNotices(command, attempt),
  ];
  const completed: Event = {
    ...draft,
    next: said,
    ...(notices.length === 0 ? {} : { notices }),
    ...defined({ taken: following.taken }),
    finished: isEnd,
  };
  const { violations, checks } = command;
  const details = { ref, submitted, ...defined({ violations, checks }) };
  const recorded = [...found, completed, ...events];
  const bound = events.find((event) => event.type === "blocked");
  if (bound !== undefined)
    return { events: recorded, outcome: { kind: "at_bound", reason: bound.reason, ...details }, notices };
  if (!isEnd) return { events: recorded, outcome: { kind: "completed", next: said, ...details }, notices };
  const nextWorkflow = nextUnfinished(plan, workflow, (candidate) => isFinished(stream, candidate));
  const ended = defined({ outcome: outcome ?? finalOutcome(run, workflow) });
  return {
    events: recorded,
    outcome: { kind: "finished", workflow: workflow.name, nextWorkflow, ...details, ...ended },
    notices,
  };
}

/** The record of a completion, without what follows it. */
function completedEvent(
  { fingerprint, checks, violations }: CompleteCommand,
  { step, state, position, situation, stamp, ref, submitted, claimed = [], judged, waived, unasked, items }: Attempt,
  word: NonNullable<CompleteCommand["approval"]>,
): Event & { readonly type: "completed" } {
  return {
    type: "completed",
    ...stamp,
    ...ref,
    ...submitted,
    ...judged,
    duration: secondsBetween(state.startedAt, situation.now),
    word,
    fingerprint,
    successor: nextStepAfter(position, step.name)?.name ?? null,
    next: null,
    ...(claimed.length === 0 ? {} : { claimed }),
    ...(checks === undefined ? {} : { checks: checks.map(({ name }) => name) }),
    ...(waived.length === 0 ? {} : { waived }),
    ...defined({ unasked, role: step.routing?.role, items }),
    finished: false,
    ...defined({ violations }),
  };
}

/** The notices about changes outside the step's `edits`; they never block a completion. */
export function outsideEditNotices(
  { outside }: CompleteCommand,
  { step: { name: step }, state: { edits = [] } }: OpenStep,
): Notice[] {
  if (outside === undefined) return [];
  if ("unknown" in outside) return [{ kind: "changes_unknown", step, why: outside.unknown }];
  const { files } = outside;
  const shownFiles = files.slice(0, 5);
  return files.length === 0
    ? []
    : [{ kind: "changed_outside", step, edits, files: shownFiles, more: files.length - shownFiles.length }];
}

/** The check results, and the checks that runners are asked for, that are not recorded yet. */
export function newCheckEvents(
  { state, stamp, ref }: Pick<Attempt, "state" | "stamp" | "ref">,
  checks: readonly CheckStatus[] = [],
): Event[] {
  // a command's result is recorded already, even if another caller was the one notified of its failure
  const reported = (state.failedChecks ?? []).filter(({ seal, signed }) => (seal ?? signed) !== undefined);
  const known = new Set([...(state.checks ?? []), ...reported].map((one) => digestOf(one)));
  const results = checks.flatMap((one) => (one.status === "passed" || one.status === "failed" ? [one] : []));
  const wanted = checks.flatMap((one) => ("wanted" in one && one.wanted !== undefined ? [one.wanted] : []));
  const isRecorded = (one: WantedPart): boolean =>
    (state.wanted ?? []).some(({ since: _, ...known }) => digestOf(known) === digestOf(one));
  return [
    ...results
      .filter((result) => !known.has(digestOf(result)))
      .map((result): Event => ({ type: "checked", ...stamp, ...ref, result })),
    ...wanted
      .filter((one) => !isRecorded(one))
      .map((one): Event => ({ type: "check_wanted", ...stamp, ...ref, ...one })),
  ];
}
