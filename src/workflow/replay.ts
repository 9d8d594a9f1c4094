import { type CopyOnce, copyOnce } from "../kit/copy-once.ts";
import { defined } from "../kit/defined.ts";
import type { ApprovalRecord, Event } from "./events.ts";
import { mergeItems } from "./items.ts";
import type { Move } from "./move.ts";
import { independentRef } from "./named-attempts.ts";
import { refusalEventCode } from "./refusal.ts";
import { applyAdopted } from "./replay-adopted.ts";
import {
  isNewSubmission,
  isProven,
  usedNonces,
  waitingSince,
  withApproval,
  withRejection,
  withUnanswered,
} from "./replay-approval.ts";
import { withAnswer, withBlocked, withoutReport, withWaiver } from "./replay-blocked.ts";
import {
  addMove,
  addOpenStep,
  applyWentBack,
  carriedItems,
  changeStep,
  type Draft,
  focusOn,
  keepCompletion,
  keepCompletions,
  keptOverAttempts,
  maxRecent,
  removeOpenStep,
  replacedAttempt,
  setIndependentStep,
  stepsOf,
  supersede,
  vouchedState,
  withCaller,
} from "./replay-draft.ts";
import { withOpenedItem, withoutItemReport, withSettledItem } from "./replay-items.ts";
import { withoutWanted, withRefusal, withResult, withWanted } from "./replay-refusal.ts";
import { stepKey } from "./step-ref.ts";
import {
  type Completion,
  emptyStream,
  mergeSubmissions,
  type StepState,
  type StreamSnapshot,
} from "./stream-snapshot.ts";

/** Derives a stream's state from its history. */
export function replay(events: Iterable<Event>, from: StreamSnapshot = emptyStream): StreamSnapshot {
  return replayer(from)(events);
}

/** Derives the state bit by bit, for a reader that keeps nothing in between: the next events change it in place. The cost grows only with the number of events. */
export function replayer(from: StreamSnapshot = emptyStream): (events: Iterable<Event>) => StreamSnapshot {
  const own = copyOnce();
  let draft: Draft | undefined;
  return (events) => {
    let changedAt: string | undefined;
    for (const event of events) {
      draft ??= { ...from, moves: [...from.moves], recentCompletions: [...from.recentCompletions] };
      applyEvent(draft, event, own);
      if (isProven(event)) draft.provenCount += 1;
      changedAt = event.at;
    }
    if (draft === undefined) return from;
    if (changedAt === undefined) return draft;
    draft.changedAt = changedAt;
    if (draft.session !== null) draft.session = { ...draft.session, changedAt };
    return draft;
  };
}

function identified(
  before: StreamSnapshot["project"],
  { project: id, later }: Event & { readonly type: "identified" },
): NonNullable<StreamSnapshot["project"]> {
  const from = before?.from ?? (before?.id === id ? undefined : before?.id);
  return { id, isLater: before?.isLater ?? later === true, ...defined({ from }) };
}

function applyEvent(stream: Draft, event: Event, own: CopyOnce): void {
  switch (event.type) {
    case "started": {
      const known = stream.runs.get(event.workflow);
      if (known !== undefined)
        keepCompletions(stream, known, own, known.pass === event.pass ? [event.step] : undefined);
      const steps = stepsOf(stream, event, own);
      const before = steps.get(event.step);
      supersede(steps, event.supersedes ?? []);
      steps.set(event.step, {
        attempt: event.attempt,
        ...(event.attemptId === undefined ? {} : { id: event.attemptId }),
        status: "started",
        startedAt: event.at,
        openedBy: [event.by],
        successor: event.successor,
        gated: event.gated === true,
        ...(event.edits === undefined ? {} : { edits: event.edits }),
        ...(event.commit === undefined ? {} : { commit: event.commit }),
        submitted: event.inputs ? { inputs: event.inputs } : {},
        ...replacedAttempt(before),
        ...keptOverAttempts(before),
        ...carriedItems(before, event.attempt),
        ...(event.client === undefined ? {} : { client: event.client }),
      });
      addOpenStep(stream, event, own);
      focusOn(stream, event, "started");
      stream.archivedAt = null; // only a restart gets here
      addMove(stream, event, "opened");
      break;
    }
    case "went_back":
      applyWentBack(stream, event, own);
      focusOn(stream, event, "started");
      addMove(stream, event, "went back to");
      break;
    case "passed_over": {
      const steps = stepsOf(stream, event, own);
      // an attempt before it still answers the call that completed it
      steps.set(event.step, { ...(steps.get(event.step) ?? vouchedState(event.at)), status: "passed_over" });
      break;
    }
    case "finished":
      changeStep(stream, event, own, ({ blocked: _, ...state }) => ({
        ...state,
        ...(state.status === "started" ? { status: "superseded" } : {}),
        ...usedNonces(state, event),
        ...(state.completion === undefined ? {} : { completion: { ...state.completion, finished: true } }),
        ended: event.outcome,
      }));
      break;
    case "items_taken":
      changeStep(stream, event, own, (state) => ({
        ...withoutItemReport(state),
        items: mergeItems(state.items, event),
      }));
      break;
    case "item_opened":
      changeStep(stream, event, own, (state) => withOpenedItem(state, event));
      break;
    case "item_settled":
      changeStep(stream, event, own, (state) => withSettledItem(state, event));
      break;
    case "continued":
      changeStep(stream, event, own, (state) => ({
        ...state,
        openedBy: withCaller(state.openedBy, event.by),
        resumedAt: event.at,
      }));
      addOpenStep(stream, event, own);
      break;
    case "met":
      changeStep(stream, event, own, (state) => ({ ...state, noticedBy: withCaller(state.noticedBy, event.by) }));
      addOpenStep(stream, event, own);
      break;
    case "identified":
      stream.project = identified(stream.project, event);
      break;
    case "focused":
      focusOn(stream, event, "started");
      break;
    case "handed_in":
      changeStep(stream, event, own, ({ refusedCode: _, rejection, ...state }) => ({
        ...(state.blocked === undefined ? state : withoutReport(state, event)),
        submitted: mergeSubmissions(state.submitted, event, own),
        ...waitingSince(state, event),
        ...(rejection === undefined || isNewSubmission(event, rejection) ? {} : { rejection: rejection }),
        ...resetRefusals(state, event),
      }));
      break;
    case "check_wanted":
      changeStep(stream, event, own, (state) => ({ ...state, ...withWanted(state, event) }));
      break;
    case "checked":
      changeStep(stream, event, own, (state) => ({
        ...withoutWanted(state, event.result.name),
        checks: withResult(state.checks, event.result),
        ...usedNonces(state, event.result),
      }));
      break;
    case "completed":
      applyCompleted(stream, event, own);
      break;
    case "skipped":
      stepsOf(stream, event, own).set(event.step, { ...vouchedState(event.at), status: "skipped" });
      break;
    case "aside_started": {
      const { at: startedAt, by: openedBy, attemptId: id, inputs } = event;
      const { attempt = 0, ...before } = stream.independentSteps.get(event.step) ?? {};
      keepCompletion(stream, independentRef(event.step, attempt), before, own);
      const opened = { status: "started", attempt: attempt + 1, startedAt, openedBy } as const;
      setIndependentStep(stream, event.step, { ...opened, ...defined({ id, inputs }) }, own);
      break;
    }
    case "aside_completed": {
      const {
        startedAt = event.at,
        openedBy = event.by,
        attempt = 1,
        id,
      } = stream.independentSteps.get(event.step) ?? {};
      const { at, by, fingerprint } = event;
      const completion: Completion = { at, by, fingerprint, finished: false, next: null, notices: [] };
      const about = { attempt, startedAt, openedBy, ...defined({ id }) };
      setIndependentStep(stream, event.step, { status: "completed", ...about, completion }, own);
      break;
    }
    case "adopted":
      applyAdopted(stream, event, own);
      break;
    case "began_anew":
      for (const run of stream.runs.values()) keepCompletions(stream, run, own);
      Object.assign(stream, {
        ...emptyStream,
        recentCompletions: [],
        pastCompletions: stream.pastCompletions,
        passes: stream.passes,
        openSteps: stream.openSteps,
        rejections: stream.rejections,
        moves: stream.moves,
        provenCount: stream.provenCount,
      });
      break;
    case "approved":
      changeStep(stream, event, own, (state) => ({
        ...state,
        ...withApproval(state, event),
        ...usedNonces(state, event),
      }));
      break;
    case "blocked":
      changeStep(stream, event, own, (state) => withBlocked(state, event));
      break;
    case "answered":
      changeStep(stream, event, own, (state) => ({ ...withAnswer(state, event), ...usedNonces(state, event) }));
      break;
    case "waived":
      changeStep(stream, event, own, (state) => ({ ...withWaiver(state, event), ...usedNonces(state, event) }));
      break;
    case "declined":
      changeStep(stream, event, own, ({ waiting: _, approvals: __, ...state }) => ({
        ...state,
        refusedCode: refusalEventCode("declined"),
        ...withRejection(event),
        ...usedNonces(state, event),
      }));
      addRejection(stream, event, own);
      break;
    case "unanswered":
      changeStep(stream, event, own, (state) => ({ ...state, ...withUnanswered(state, event) }));
      noteUnanswered(stream, event, own);
      break;
    case "refused":
      applyRefusal(stream, event, own);
      break;
    case "log_adopted":
    case "forgotten":
      break;
    case "accepted":
      if (stream.runs.size === 0) stream.archivedAt = event.at; // nothing is left of the earlier work
      break;
    case "session_began": {
      const { workflow, target, options, inputs, run, item, definition, first, total, at } = event;
      const inRun = defined({ inputs, run, item });
      stream.session = { workflow, target, options, ...inRun, definition, first, total, beganAt: at, changedAt: at };
      break;
    }
    case "updated": {
      const { definition, total, workflow, supersedes } = event;
      if (stream.session !== null) stream.session = { ...stream.session, definition, total };
      const run = stream.runs.get(workflow);
      if (run !== undefined) supersede(stepsOf(stream, run, own), supersedes);
      break;
    }
    case "archived":
      stream.archivedAt = event.at;
      addMove(stream, { ...event, workflow: stream.session?.workflow ?? "" }, "archived");
  }
}

function applyCompleted(stream: Draft, event: Event & { type: "completed" }, own: CopyOnce): void {
  const { at, by, workflow, pass, step, attempt, duration, successor, fingerprint, finished, violations } = event;
  const { next = null, warnings = [], notices = [] } = event;
  const completion: Completion = { at, by, fingerprint, finished, next, notices: [...warnings, ...notices] };
  changeStep(
    stream,
    event,
    own,
    ({
      id,
      startedAt,
      openedBy,
      gated,
      submitted,
      checks,
      approvals = [],
      gateRefusals,
      client,
      answer,
      waivers,
      rounds = 0,
      routesTaken,
      cameBackFrom,
      commit,
      items,
    }) => ({
      attempt,
      ...(id === undefined ? {} : { id }),
      status: "completed",
      startedAt,
      openedBy,
      successor,
      gated,
      submitted: mergeSubmissions(submitted, event, own),
      rounds: rounds + 1,
      ...defined({ routesTaken, backFrom: cameBackFrom?.step }),
      completion: {
        ...completion,
        ...(approvals.some(({ digest }) => digest === event.digest) ? { approvedFingerprint: fingerprint } : {}),
        ...(violations === undefined ? {} : { violations }),
      },
      ...(checks === undefined ? {} : { checks }),
      ...(gateRefusals === undefined ? {} : { gateRefusals: gateRefusals }),
      ...defined({ client, answer, waivers, commit, items }),
    }),
  );
  stream.completedCount += 1;
  stream.recentCompletions.push({ workflow, step, timestamp: at, duration });
  if (stream.recentCompletions.length > maxRecent) stream.recentCompletions.shift();
  stream.lastCompleted = { workflow, pass, step, attempt };
  removeOpenStep(stream, event, own);
  focusOn(stream, event, "completed");
  addMove(stream, event, "completed", approvalOfMove(event.word));
}

/** The people who approved a completion and their comment; relayed words are the assistant's own. */
function approvalOfMove({ level, text, by = [] }: ApprovalRecord): Pick<Move, "people" | "said"> {
  const said = level === "relayed" || text === undefined ? {} : { said: text };
  return { ...(by.length === 0 ? {} : { people: by.map(({ name }) => name) }), ...said };
}

/** Notes a refused try to complete the open step; a try at any other step leaves no trace in it. */
function applyRefusal(stream: Draft, event: Event & { type: "refused" }, own: CopyOnce): void {
  const { workflow, step } = event;
  const run = stream.runs.get(workflow);
  const state = run?.steps.get(step);
  if (run === undefined || state?.status !== "started") return;
  stepsOf(stream, run, own).set(step, withRefusal(state, event));
}

/** Resets the count of refusals: a submission with a digest has passed its gate. */
function resetRefusals(
  { gateRefusals }: StepState,
  { digest }: Event & { type: "handed_in" },
): Pick<StepState, "gateRefusals"> {
  return gateRefusals === undefined || digest === undefined ? {} : { gateRefusals: { ...gateRefusals, inARow: 0 } };
}

/** Notes an unanswered question about an independent step, which belongs to no pass. */
function noteUnanswered(stream: Draft, event: Event & { type: "unanswered" }, own: CopyOnce): void {
  const independent = event.pass === 0 ? stream.independentSteps.get(event.step) : undefined;
  if (independent !== undefined)
    setIndependentStep(stream, event.step, { ...independent, ...withUnanswered(independent, event) }, own);
}

function addRejection(stream: Draft, event: Event & { type: "declined" }, own: CopyOnce): void {
  const { digest, reason } = event;
  if (digest === undefined) return;
  const said = own.list(stream.rejections.get(stepKey(event)) ?? []);
  said.push(reason === undefined ? { digest } : { digest, reason });
  stream.rejections = own(stream.rejections).set(stepKey(event), said);
}
