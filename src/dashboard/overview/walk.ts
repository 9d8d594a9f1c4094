import { defined } from "../../kit/defined.ts";
import type { ApprovalRecord, Event, StepRef } from "../../workflow/events.ts";
import {
  applySubmissionEvent,
  endWait,
  type SubmissionsSoFar,
  type Wait,
  type WalkedSubmission,
} from "./walked-submissions.ts";

/** One attempt at a step, from its start to its end. */
export type WalkedAttempt = StepRef & {
  readonly startedAt: string;
  readonly endedAt?: string;
  /** `left`: abandoned without completion; `superseded`: completed, and no longer counts. */
  readonly state: "open" | "completed" | "left" | "superseded";
  /** The program that opened it. */
  readonly client?: string;
  readonly handIns: readonly WalkedSubmission[];
  readonly waits: readonly Wait[];
  /** When items of it were read, opened or settled. */
  readonly itemsMoved?: readonly string[];
  readonly word?: ApprovalRecord;
  readonly judgedBy?: string;
};

/** Follows one history event by event, and lists every attempt with its submissions and waits, oldest first. */
export type WalkFollower = {
  feed(event: Event): void;
  attempts(): readonly WalkedAttempt[];
  /** The open attempt at a step. */
  open(step: { readonly workflow: string; readonly step: string }): WalkedAttempt | undefined;
};

/** Starts to follow a history. `onEnd` receives every ended attempt; `keepsEnded` keeps them as well. */
export function followWalk(onEnd: (attempt: WalkedAttempt) => void = () => undefined, keepsEnded = true): WalkFollower {
  const followed: Followed = { runs: new Map(), passes: new Map(), attempts: new Set(), onEnd, keepsEnded };
  return {
    feed: (event) => applyEvent(followed, event),
    attempts: () => [...followed.attempts].sort(byBeginning),
    open(step) {
      const draft = followed.runs.get(step.workflow)?.steps.get(step.step)?.draft;
      return draft?.state === "open" ? draft : undefined;
    },
  };
}

/** Every attempt of a history. */
export function walkHistory(events: Iterable<Event>): readonly WalkedAttempt[] {
  const follower = followWalk();
  for (const event of events) follower.feed(event);
  return follower.attempts();
}

/** The state of a history so far, kept as `replay` keeps it, so that nothing is searched for. */
type Followed = {
  /** The newest pass of each workflow. */
  readonly runs: Map<string, WalkedRun>;
  /** The highest pass ever started, by workflow. */
  readonly passes: Map<string, number>;
  /** The reported attempts, in the order they started. */
  readonly attempts: Set<Draft>;
  readonly onEnd: (attempt: WalkedAttempt) => void;
  readonly keepsEnded: boolean;
};

type WalkedRun = { readonly pass: number; readonly steps: Map<string, WalkedStep> };

/** A step: the number of its newest attempt, if it is satisfied, and the attempt while it may change. */
type WalkedStep = { readonly attempt: number; readonly isSatisfied: boolean; readonly draft?: Draft };

type Draft = { -readonly [Part in keyof WalkedAttempt]: WalkedAttempt[Part] } & SubmissionsSoFar;

function applyEvent(followed: Followed, event: Event): void {
  switch (event.type) {
    case "started": {
      const steps = stepsOf(followed, event, event.at);
      supersede(followed, steps, event.supersedes ?? [], event.at);
      startAttempt(followed, steps, startedDraft(event));
      return;
    }
    case "went_back":
      supersede(followed, stepsOf(followed, event, event.at), [event.step, ...event.supersedes], event.at);
      return;
    case "updated":
      supersede(followed, stepsOf(followed, event, event.at), event.supersedes, event.at);
      return;
    case "skipped":
    case "passed_over":
      satisfyStep(followed, stepsOf(followed, event, event.at), event.step, 1, event.at);
      return;
    case "adopted":
      adopt(followed, event);
      return;
    case "began_anew":
      for (const { steps } of followed.runs.values()) supersede(followed, steps, [...steps.keys()], event.at);
      followed.runs.clear();
      return;
    case "handed_in":
    case "checked":
    case "refused":
    case "declined": {
      const draft = walkedStepOf(followed, event)?.draft;
      if (draft?.state === "open") applySubmissionEvent(draft, event);
      return;
    }
    case "completed":
      complete(followed, event);
      return;
    case "blocked":
    case "answered":
    case "waived": {
      const draft = walkedStepOf(followed, event)?.draft;
      if (draft?.state === "open") followBlock(draft, event);
      return;
    }
    case "items_taken":
    case "item_opened":
    case "item_settled": {
      const draft = walkedStepOf(followed, event)?.draft;
      if (draft?.state === "open") draft.itemsMoved = [...(draft.itemsMoved ?? []), event.at].slice(-maxMoves);
      return;
    }
    case "check_wanted":
    case "continued":
    case "met":
    case "focused":
    case "approved":
    case "finished":
    case "unanswered":
    case "aside_started":
    case "aside_completed":
    case "log_adopted":
    case "session_began":
    case "identified":
    case "archived":
    case "forgotten":
    case "accepted":
      return; // none of them starts, changes or ends an attempt
    default:
      event satisfies never;
  }
}

/** The latest times kept at which items of a step moved. */
const maxMoves = 200;

/** A blocked step waits for a person, until one answers or waives; what was submitted before no longer does. */
function followBlock({ waits }: Draft, { type, at }: Event): void {
  endWait(waits, at);
  if (type === "blocked") waits.push({ from: at });
}

function startedDraft({ workflow, pass, step, attempt, at, client, judgedBy }: Event & { type: "started" }): Draft {
  return {
    ...newDraft({ workflow, pass, step, attempt }, at),
    ...defined({ client, judgedBy }),
  };
}

function newDraft(ref: StepRef, startedAt: string): Draft {
  return { ...ref, startedAt, state: "open", handIns: [], waits: [], current: { submitted: {}, checks: [] } };
}

/** Opens a step; its earlier attempt no longer counts. */
function startAttempt(followed: Followed, steps: WalkedRun["steps"], draft: Draft): void {
  supersede(followed, steps, [draft.step], draft.startedAt);
  steps.set(draft.step, { attempt: draft.attempt, isSatisfied: false, draft: draft });
  followed.attempts.add(draft);
}

function endAttempt(
  { attempts: draft, onEnd, keepsEnded }: Followed,
  attempt: Draft,
  state: WalkedAttempt["state"],
  at: string,
): void {
  Object.assign(attempt, { state, endedAt: at });
  endWait(attempt.waits, at);
  onEnd(attempt);
  if (!keepsEnded) draft.delete(attempt);
}

function complete(followed: Followed, event: Event & { type: "completed" }): void {
  const walked = walkedStepOf(followed, event);
  if (walked === undefined) return;
  const { attempt, draft } = walked;
  if (draft?.state === "open") {
    applySubmissionEvent(draft, event);
    Object.assign(draft, { word: event.word, judgedBy: event.judgedBy ?? draft.judgedBy });
    endAttempt(followed, draft, "completed", event.at);
  }
  const kept = draft !== undefined && followed.keepsEnded ? { draft } : {};
  followed.runs.get(event.workflow)?.steps.set(event.step, { attempt, isSatisfied: true, ...kept });
}

/** Supersedes steps: an open attempt is left, a completed one superseded. */
function supersede(followed: Followed, steps: WalkedRun["steps"], names: readonly string[], at: string): void {
  for (const name of names) {
    const walked = steps.get(name);
    if (walked === undefined) continue;
    const { attempt, draft } = walked;
    if (draft?.state === "open") endAttempt(followed, draft, "left", at);
    if (draft?.state === "completed") draft.state = "superseded";
    steps.set(name, { attempt, isSatisfied: false });
  }
}

/** Marks a step as satisfied without an attempt. */
function satisfyStep(followed: Followed, steps: WalkedRun["steps"], step: string, attempt: number, at: string): void {
  supersede(followed, steps, [step], at);
  steps.set(step, { attempt, isSatisfied: true });
}

/** Applies an edit: vouches for steps, supersedes those beyond its position, and moves there. */
function adopt(followed: Followed, { vouched, workflow, before, step, state, at }: Event & { type: "adopted" }): void {
  for (const one of vouched) {
    if (followed.runs.get(one.workflow)?.steps.get(one.step)?.isSatisfied === true) continue;
    satisfyStep(followed, stepsOf(followed, newestPass(followed, one.workflow), at), one.step, 1, at);
  }
  const newest = newestPass(followed, workflow);
  const steps = stepsOf(followed, newest, at);
  const beyond = [...steps.keys()].filter((name) => !before.includes(name));
  supersede(followed, steps, beyond, at);
  if (step === undefined) return;
  const attempt = (steps.get(step)?.attempt ?? 0) + 1;
  // the file's start time is the person's claim; the record counts from the edit on
  if (state === "started") startAttempt(followed, steps, newDraft({ ...newest, step, attempt }, at));
  else satisfyStep(followed, steps, step, attempt, at);
}

/** The newest pass of a workflow, or the one that would start now. */
function newestPass(
  { runs, passes }: Followed,
  workflow: string,
): { readonly workflow: string; readonly pass: number } {
  return { workflow, pass: runs.get(workflow)?.pass ?? (passes.get(workflow) ?? 0) + 1 };
}

/** The steps of a pass. A new pass leaves open attempts of the one before; completed ones stay completed. */
function stepsOf(
  followed: Followed,
  { workflow, pass }: { readonly workflow: string; readonly pass: number },
  at: string,
): WalkedRun["steps"] {
  const { runs, passes } = followed;
  const known = runs.get(workflow);
  if (known?.pass === pass) return known.steps;
  for (const { draft } of known?.steps.values() ?? [])
    if (draft?.state === "open") endAttempt(followed, draft, "left", at);
  const steps: WalkedRun["steps"] = new Map();
  runs.set(workflow, { pass, steps });
  passes.set(workflow, Math.max(pass, passes.get(workflow) ?? 0));
  return steps;
}

/** A step, and its pass and attempt where a record names them. */
type PlacedRef = Pick<StepRef, "workflow" | "step"> & Partial<StepRef>;

/** The attempt that an event is about; old refusals may not say which. */
function walkedStepOf({ runs }: Followed, event: PlacedRef): WalkedStep | undefined {
  const run = runs.get(event.workflow);
  const walked = run?.steps.get(event.step);
  const { pass = run?.pass, attempt = walked?.attempt } = event;
  return pass === run?.pass && attempt === walked?.attempt ? walked : undefined;
}

function byBeginning({ startedAt: one }: Draft, { startedAt: other }: Draft): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
