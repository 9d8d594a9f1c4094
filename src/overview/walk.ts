import type { Event, StepRef, Word } from "../workflow/events.ts";
import { endWait, type HandInsSoFar, type Judging, judge, type Wait, type WalkedHandIn } from "./walked-hand-ins.ts";

/** One attempt at a step, from its opening to its end. */
export type WalkedAttempt = StepRef & {
  readonly startedAt: string;
  readonly endedAt?: string;
  /** `left`: it was never completed, and is no longer under way; `superseded`: it was completed, and no longer counts. */
  readonly state: "open" | "completed" | "left" | "superseded";
  /** The program that it was opened with. */
  readonly client?: string;
  readonly handIns: readonly WalkedHandIn[];
  readonly waits: readonly Wait[];
  readonly word?: Word;
  readonly judgedBy?: string;
};

/** Follows one history: fed with its events in order, it tells every attempt with its hand-ins and waits, oldest first. */
export type Walker = {
  feed(event: Event): void;
  attempts(): readonly WalkedAttempt[];
  /** The open attempt at a step. */
  open(step: { readonly workflow: string; readonly step: string }): WalkedAttempt | undefined;
};

/** Begins to follow a history. `onEnd` hears of every attempt that has ended; who needs no more of them has none kept. */
export function walker(onEnd: (attempt: WalkedAttempt) => void = () => undefined, keepsEnded = true): Walker {
  const followed: Followed = { runs: new Map(), passes: new Map(), told: new Set(), onEnd, keepsEnded };
  return {
    feed: (event) => follow(followed, event),
    attempts: () => [...followed.told].sort(byBeginning),
    open(step) {
      const told = followed.runs.get(step.workflow)?.steps.get(step.step)?.told;
      return told?.state === "open" ? told : undefined;
    },
  };
}

/** Every attempt of a history. */
export function walkOf(events: Iterable<Event>): readonly WalkedAttempt[] {
  const follower = walker();
  for (const event of events) follower.feed(event);
  return follower.attempts();
}

/** What is known of a history so far: who stands where is kept as `replay` keeps it, so that nothing is searched for. */
type Followed = {
  /** The newest pass of each workflow. */
  readonly runs: Map<string, WalkedRun>;
  /** The highest pass ever begun, by workflow. */
  readonly passes: Map<string, number>;
  /** The attempts that are told, in the order in which they were begun. */
  readonly told: Set<Draft>;
  readonly onEnd: (attempt: WalkedAttempt) => void;
  readonly keepsEnded: boolean;
};

type WalkedRun = { readonly pass: number; readonly steps: Map<string, WalkedStep> };

/** How a step stands: the number of its newest attempt, whether it needs no more work, and the attempt as long as it may change. */
type WalkedStep = { readonly attempt: number; readonly isSatisfied: boolean; readonly told?: Draft };

type Draft = { -readonly [Part in keyof WalkedAttempt]: WalkedAttempt[Part] } & HandInsSoFar;

function follow(followed: Followed, event: Event): void {
  switch (event.type) {
    case "started": {
      const steps = stepsOf(followed, event, event.at);
      supersede(followed, steps, event.supersedes ?? [], event.at);
      begin(followed, steps, begun(event));
      return;
    }
    case "went_back":
      supersede(followed, stepsOf(followed, event, event.at), [event.step, ...event.supersedes], event.at);
      return;
    case "skipped":
      satisfy(followed, stepsOf(followed, event, event.at), event.step, 1, event.at);
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
      const told = standingOf(followed, event)?.told;
      if (told?.state === "open") judge(told, event);
      return;
    }
    case "completed":
      complete(followed, event);
      return;
    case "continued":
    case "met":
    case "focused":
    case "approved":
    case "unanswered":
    case "aside_started":
    case "aside_completed":
    case "log_adopted":
    case "session_began":
    case "archived":
    case "accepted":
      return; // none of them begins, changes or ends an attempt
    default:
      event satisfies never;
  }
}

function begun({ workflow, pass, step, attempt, at, client, judgedBy }: Event & { type: "started" }): Draft {
  return {
    ...fresh({ workflow, pass, step, attempt }, at),
    ...(client === undefined ? {} : { client }),
    ...(judgedBy === undefined ? {} : { judgedBy }),
  };
}

function fresh(ref: StepRef, startedAt: string): Draft {
  return { ...ref, startedAt, state: "open", handIns: [], waits: [], so: { handed: {}, checks: [] } };
}

/** Opens a step; what stood there no longer counts. */
function begin(followed: Followed, steps: WalkedRun["steps"], told: Draft): void {
  supersede(followed, steps, [told.step], told.startedAt);
  steps.set(told.step, { attempt: told.attempt, isSatisfied: false, told });
  followed.told.add(told);
}

function end({ told, onEnd, keepsEnded }: Followed, attempt: Draft, state: WalkedAttempt["state"], at: string): void {
  Object.assign(attempt, { state, endedAt: at });
  endWait(attempt.waits, at);
  onEnd(attempt);
  if (!keepsEnded) told.delete(attempt);
}

function complete(followed: Followed, event: Event & { type: "completed" }): void {
  const standing = standingOf(followed, event);
  if (standing === undefined) return;
  const { attempt, told } = standing;
  if (told?.state === "open") {
    judge(told, event);
    Object.assign(told, { word: event.word, judgedBy: event.judgedBy ?? told.judgedBy });
    end(followed, told, "completed", event.at);
  }
  const kept = told !== undefined && followed.keepsEnded ? { told } : {};
  followed.runs.get(event.workflow)?.steps.set(event.step, { attempt, isSatisfied: true, ...kept });
}

/** What stands at these steps no longer counts: an attempt under way is left, a completed one superseded. */
function supersede(followed: Followed, steps: WalkedRun["steps"], names: readonly string[], at: string): void {
  for (const name of names) {
    const standing = steps.get(name);
    if (standing === undefined) continue;
    const { attempt, told } = standing;
    if (told?.state === "open") end(followed, told, "left", at);
    if (told?.state === "completed") told.state = "superseded";
    steps.set(name, { attempt, isSatisfied: false });
  }
}

/** A step needs no more work, by no attempt of anybody's. */
function satisfy(followed: Followed, steps: WalkedRun["steps"], step: string, attempt: number, at: string): void {
  supersede(followed, steps, [step], at);
  steps.set(step, { attempt, isSatisfied: true });
}

/** An edit vouches for steps, takes back what lies beyond its position, and stands there from now on. */
function adopt(followed: Followed, { vouched, workflow, before, step, state, at }: Event & { type: "adopted" }): void {
  for (const one of vouched) {
    if (followed.runs.get(one.workflow)?.steps.get(one.step)?.isSatisfied === true) continue;
    satisfy(followed, stepsOf(followed, newestOf(followed, one.workflow), at), one.step, 1, at);
  }
  const newest = newestOf(followed, workflow);
  const steps = stepsOf(followed, newest, at);
  const beyond = [...steps.keys()].filter((name) => !before.includes(name));
  supersede(followed, steps, beyond, at);
  if (step === undefined) return;
  const attempt = (steps.get(step)?.attempt ?? 0) + 1;
  // When it was begun is what a person wrote; on record it is from the edit on.
  if (state === "started") begin(followed, steps, fresh({ ...newest, step, attempt }, at));
  else satisfy(followed, steps, step, attempt, at);
}

/** The newest pass of a workflow, or the one that would begin now. */
function newestOf({ runs, passes }: Followed, workflow: string): { readonly workflow: string; readonly pass: number } {
  return { workflow, pass: runs.get(workflow)?.pass ?? (passes.get(workflow) ?? 0) + 1 };
}

/** The steps of a pass. One that begins here leaves what is under way in the one before; what was completed there stays so. */
function stepsOf(
  followed: Followed,
  { workflow, pass }: { readonly workflow: string; readonly pass: number },
  at: string,
): WalkedRun["steps"] {
  const { runs, passes } = followed;
  const known = runs.get(workflow);
  if (known?.pass === pass) return known.steps;
  for (const { told } of known?.steps.values() ?? []) if (told?.state === "open") end(followed, told, "left", at);
  const steps: WalkedRun["steps"] = new Map();
  runs.set(workflow, { pass, steps });
  passes.set(workflow, Math.max(pass, passes.get(workflow) ?? 0));
  return steps;
}

/** How the attempt stands that an event is about; a refusal of old may not say which. */
function standingOf({ runs }: Followed, event: Judging): WalkedStep | undefined {
  const run = runs.get(event.workflow);
  const standing = run?.steps.get(event.step);
  const { pass = run?.pass, attempt = standing?.attempt } = event;
  return pass === run?.pass && attempt === standing?.attempt ? standing : undefined;
}

function byBeginning({ startedAt: one }: Draft, { startedAt: other }: Draft): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
