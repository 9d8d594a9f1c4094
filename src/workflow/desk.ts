import type { CompletedEntry, Event, HandedIn, SessionFacts, StepRef, Violation } from "./events.ts";
import type { Next } from "./next-step.ts";

/** How one step of a run stands. */
export type StepState = {
  readonly attempt: number;
  readonly status: "started" | "completed" | "skipped" | "vouched" | "superseded";
  readonly startedAt: string;
  /** The callers that opened this attempt. */
  readonly openedBy: readonly string[];
  readonly successor?: string | null;
  readonly gated: boolean;
  readonly handed: HandedIn;
  /** Why the last try to complete it was turned down: a code. */
  readonly turnedDown?: string;
  readonly completion?: Completion;
};

type Completion = {
  readonly at: string;
  readonly by: string;
  readonly fingerprint: string;
  readonly finished: boolean;
  readonly next: Next | null;
  readonly warnings: readonly string[];
  readonly violations?: readonly Violation[];
};

/** One pass through one workflow. */
export type Run = { readonly workflow: string; readonly pass: number; readonly steps: ReadonlyMap<string, StepState> };

/** How a step outside the sequence stands. */
export type AsideState = {
  readonly status: "started" | "completed";
  readonly startedAt: string;
  readonly openedBy: string;
  readonly fingerprint?: string;
};

/** What the events of one desk add up to: derived, never stored. */
export type Desk = {
  /** The latest pass of each workflow. */
  readonly runs: ReadonlyMap<string, Run>;
  /** The highest pass ever begun, by workflow: a new beginning never reuses a number. */
  readonly passes: ReadonlyMap<string, number>;
  readonly focus: Focus | null;
  readonly completedCount: number;
  readonly recent: readonly CompletedEntry[];
  readonly asides: ReadonlyMap<string, AsideState>;
  readonly lastCompleted: StepRef | null;
  /** What the session is about, where the desk is one. */
  readonly session: SessionState | null;
};

/** A phased session as a whole. */
export type SessionState = SessionFacts & {
  readonly beganAt: string;
  readonly changedAt: string;
  readonly archivedAt?: string;
};

/** The step that the desk is at, and since when. */
export type Focus = {
  readonly workflow: string;
  readonly step: string | null;
  readonly state: "started" | "completed";
  readonly timestamp: string;
};

export const emptyDesk: Desk = {
  runs: new Map(),
  passes: new Map(),
  focus: null,
  completedCount: 0,
  recent: [],
  asides: new Map(),
  lastCompleted: null,
  session: null,
};

/** Adds up a history. */
export function replay(events: Iterable<Event>, from: Desk = emptyDesk): Desk {
  const own = ownMaps();
  let desk = from;
  for (const event of events) desk = touched(apply(desk, event, own), event);
  return desk;
}

/** Answers a map that may be changed: a copy, or the one copied before. Nobody sees a desk until its replay has ended. */
type Own = <K, V>(map: ReadonlyMap<K, V>) => Map<K, V>;

function ownMaps(): Own {
  const copies = new WeakSet<object>();
  return (map) => {
    if (map instanceof Map && copies.has(map)) return map;
    const copy = new Map(map);
    copies.add(copy);
    return copy;
  };
}

function touched(desk: Desk, { at }: Event): Desk {
  return desk.session === null ? desk : { ...desk, session: { ...desk.session, changedAt: at } };
}

/** A step that needs no more work: done, passed over by its author, or vouched for by a person. */
export function isSatisfied(state: StepState | undefined): boolean {
  return state?.status === "completed" || state?.status === "skipped" || state?.status === "vouched";
}

function apply(desk: Desk, event: Event, own: Own): Desk {
  switch (event.type) {
    case "started": {
      const run = runOf(desk, event);
      const steps = supersede(run, event.supersedes ?? [], own);
      const state: StepState = {
        attempt: event.attempt,
        status: "started",
        startedAt: event.at,
        openedBy: [event.by],
        successor: event.successor,
        gated: event.gated === true,
        handed: event.inputs ? { inputs: event.inputs } : {},
      };
      return focusOn(putRun(desk, { ...run, steps: steps.set(event.step, state) }, own), event, "started", event.at);
    }
    case "went_back": {
      const run = runOf(desk, event);
      const steps = supersede(run, [event.step, ...event.supersedes], own);
      return focusOn(putRun(desk, { ...run, steps }, own), event, "started", event.at);
    }
    case "continued":
      return changeStep(desk, event, own, (state) => ({ ...state, openedBy: [...state.openedBy, event.by] }));
    case "focused":
      return focusOn(desk, event, "started", event.at);
    case "handed_in":
      return changeStep(desk, event, own, ({ turnedDown: _, ...state }) => ({
        ...state,
        handed: mergeHandedIn(state.handed, event),
      }));
    case "completed": {
      const { at, by, fingerprint, finished, next = null, warnings = [], violations } = event;
      const changed = changeStep(desk, event, own, (state) => ({
        ...state,
        status: "completed",
        successor: event.successor,
        handed: mergeHandedIn(state.handed, event),
        completion: {
          at,
          by,
          fingerprint,
          finished,
          next,
          warnings,
          ...(violations === undefined ? {} : { violations }),
        },
      }));
      const entry: CompletedEntry = {
        workflow: event.workflow,
        step: event.step,
        timestamp: event.at,
        duration: event.duration,
      };
      const { workflow, pass, step, attempt } = event;
      return focusOn(
        {
          ...changed,
          completedCount: desk.completedCount + 1,
          recent: [...desk.recent, entry].slice(-5),
          lastCompleted: { workflow, pass, step, attempt },
        },
        event,
        "completed",
        event.at,
      );
    }
    case "skipped": {
      const run = runOf(desk, event);
      const state: StepState = { ...vouchedAt(event.at), status: "skipped" };
      return putRun(desk, { ...run, steps: own(run.steps).set(event.step, state) }, own);
    }
    case "aside_started": {
      const state: AsideState = { status: "started", startedAt: event.at, openedBy: event.by };
      return { ...desk, asides: own(desk.asides).set(event.step, state) };
    }
    case "aside_completed": {
      const before = desk.asides.get(event.step);
      const state: AsideState = {
        status: "completed",
        startedAt: before?.startedAt ?? event.at,
        openedBy: before?.openedBy ?? event.by,
        fingerprint: event.fingerprint,
      };
      return { ...desk, asides: own(desk.asides).set(event.step, state) };
    }
    case "adopted":
      return adopt(desk, event, own);
    case "began_anew":
      return { ...emptyDesk, passes: desk.passes };
    case "declined":
      return changeStep(desk, event, own, (state) => ({ ...state, turnedDown: "approval_rejected" }));
    case "refused":
      return turnDown(desk, event, own);
    case "log_adopted":
      return desk;
    case "session_began": {
      const { workflow, target, options, definition, first, total, at: beganAt } = event;
      const facts = { workflow, target, options, definition, first, total };
      return { ...desk, session: { ...facts, beganAt, changedAt: beganAt } };
    }
    case "archived":
      return desk.session === null ? desk : { ...desk, session: { ...desk.session, archivedAt: event.at } };
  }
}

/** A try to complete the open step was turned down; a try at any other leaves no trace in it. */
function turnDown(desk: Desk, { workflow, step, code }: Event & { type: "refused" }, own: Own): Desk {
  const run = desk.runs.get(workflow);
  const state = run?.steps.get(step);
  if (run === undefined || state?.status !== "started") return desk;
  return putRun(desk, { ...run, steps: own(run.steps).set(step, { ...state, turnedDown: code }) }, own);
}

function adopt(desk: Desk, event: Event & { type: "adopted" }, own: Own): Desk {
  let result = desk;
  for (const { workflow, step } of event.vouched) {
    const run = result.runs.get(workflow) ?? freshRun(result, workflow);
    if (isSatisfied(run.steps.get(step))) continue;
    result = putRun(result, { ...run, steps: own(run.steps).set(step, vouchedAt(event.timestamp)) }, own);
  }
  const run = result.runs.get(event.workflow) ?? freshRun(result, event.workflow);
  const steps = new Map<string, StepState>();
  for (const [name, state] of run.steps) {
    steps.set(
      name,
      event.before.includes(name) || state.status === "superseded" ? state : { ...state, status: "superseded" },
    );
  }
  if (event.step !== undefined) {
    const before = run.steps.get(event.step);
    const attempt = (before?.attempt ?? 0) + 1;
    const status = event.state === "started" ? "started" : "vouched";
    const completion: Completion = {
      at: event.timestamp,
      by: event.by,
      fingerprint: "",
      finished: true,
      next: null,
      warnings: [],
    };
    const done = event.finished === true ? { completion } : {};
    steps.set(event.step, { ...vouchedAt(event.timestamp), attempt, status, ...done });
  }
  return {
    ...putRun(result, { ...run, steps }, own),
    focus: { workflow: event.workflow, step: event.step ?? null, state: event.state, timestamp: event.timestamp },
    completedCount: event.completed.length,
    recent: event.completed.slice(-5),
  };
}

function supersede(run: Run, names: readonly string[], own: Own): Map<string, StepState> {
  const steps = own(run.steps);
  for (const name of names) {
    const state = steps.get(name);
    if (state !== undefined) steps.set(name, { ...state, status: "superseded" });
  }
  return steps;
}

function vouchedAt(at: string): StepState {
  return { attempt: 1, status: "vouched", startedAt: at, openedBy: [], gated: false, handed: {} };
}

function changeStep(desk: Desk, ref: StepRef, own: Own, change: (state: StepState) => StepState): Desk {
  const run = runOf(desk, ref);
  const state = run.steps.get(ref.step);
  if (state === undefined || state.attempt !== ref.attempt) return desk;
  return putRun(desk, { ...run, steps: own(run.steps).set(ref.step, change(state)) }, own);
}

function runOf(desk: Desk, { workflow, pass }: { workflow: string; pass: number }): Run {
  const run = desk.runs.get(workflow);
  return run?.pass === pass ? run : { workflow, pass, steps: new Map() };
}

/** The run that a workflow would begin now. */
export function freshRun(desk: Desk, workflow: string): Run {
  return { workflow, pass: (desk.passes.get(workflow) ?? 0) + 1, steps: new Map() };
}

function putRun(desk: Desk, run: Run, own: Own): Desk {
  const isNew = run.pass > (desk.passes.get(run.workflow) ?? 0);
  return {
    ...desk,
    runs: own(desk.runs).set(run.workflow, run),
    passes: isNew ? own(desk.passes).set(run.workflow, run.pass) : desk.passes,
  };
}

function focusOn(desk: Desk, { workflow, step }: StepRef, state: Focus["state"], timestamp: string): Desk {
  return { ...desk, focus: { workflow, step, state, timestamp } };
}

/** Adds what is handed in later to what was handed in before; the later value of a key counts. */
export function mergeHandedIn(before: HandedIn, later: HandedIn): HandedIn {
  const content = new Map([...(before.content ?? []), ...(later.content ?? [])].map((item) => [item.path, item]));
  return {
    ...mergeObjects("inputs", before, later),
    ...mergeObjects("outputs", before, later),
    ...mergeObjects("evidence", before, later),
    ...(content.size > 0 ? { content: [...content.values()] } : {}),
  };
}

function mergeObjects(key: "inputs" | "outputs" | "evidence", before: HandedIn, later: HandedIn): HandedIn {
  if (before[key] === undefined && later[key] === undefined) return {};
  return { [key]: { ...before[key], ...later[key] } };
}
