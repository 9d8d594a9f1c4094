import { defined } from "../../kit/defined.ts";
import { workflowLabel } from "../../messages/stream-words.ts";
import type { Event } from "../../workflow/events.ts";
import { isGateRefusal } from "../../workflow/replay-refusal.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { gateVersion, startTally, type Tally } from "./figures.ts";
import type { Insights, Rates, WorkflowInsights } from "./insights-data.ts";
import { followWalk, type WalkedAttempt, type WalkFollower } from "./walk.ts";

/** Adds up histories one event at a time, so that nothing is read twice. */
export type InsightsReader = { stream(id: StreamId): (event: Event) => void; insights(): Insights };

/** Starts a reader. Open attempts count once they end, except for refusals so far. */
export function insightsReader(): InsightsReader {
  const workflows = new Map<string, Counting>();
  /** The open attempts that are counted, by history, and the histories that have changed since. */
  const open = new Map<WalkFollower, readonly (readonly [Counting, WalkedAttempt])[]>();
  const changed = new Map<WalkFollower, StreamId>();
  let runs = 0;
  let events = 0;
  const countingOf = (id: StreamId, workflow: string): Counting => {
    const name = workflowLabel(id, workflow);
    const known = workflows.get(`${id.kind} ${name}`) ?? newCounting(id.kind, name);
    workflows.set(`${id.kind} ${name}`, known);
    return known;
  };
  return {
    stream(id) {
      runs += 1;
      const follower = followWalk((attempt) => change(countingOf(id, attempt.workflow), attempt, "add"), false);
      const begun = new Set<string>();
      return (event) => {
        events += 1;
        follower.feed(event);
        changed.set(follower, id);
        if (event.type === "started") {
          const key = JSON.stringify([event.workflow, event.pass]);
          if (!begun.has(key)) countingOf(id, event.workflow).walks += 1;
          begun.add(key);
        }
        if (event.type === "completed" && event.finished) countingOf(id, event.workflow).finished += 1;
        if (event.type === "refused" && !isGateRefusal(event.code)) countingOf(id, event.workflow).outOfTurn += 1;
      };
    },
    insights() {
      for (const [follower, id] of changed) {
        for (const [counting, attempt] of open.get(follower) ?? []) change(counting, attempt, "remove");
        const now = follower.attempts().map((one) => [countingOf(id, one.workflow), lean(one)] as const);
        for (const [counting, attempt] of now) change(counting, attempt, "add");
        open.set(follower, now);
      }
      changed.clear();
      return {
        runs,
        events,
        workflows: [...workflows.values()].map(insightsOf).sort((a, b) => (a.workflow < b.workflow ? -1 : 1)),
      };
    },
  };
}

/** The counts of one workflow. */
type Counting = {
  readonly kind: StreamId["kind"];
  readonly name: string;
  walks: number;
  finished: number;
  outOfTurn: number;
  readonly all: Tally;
  readonly steps: Map<string, StepCounting>;
};

/** The counts of one step: in all, by version of its gate and by week. */
type StepCounting = {
  readonly all: Tally;
  readonly versions: Map<string | null, Tally>;
  readonly weeks: Map<string, Tally>;
};

function newCounting(kind: StreamId["kind"], name: string): Counting {
  return { kind, name, walks: 0, finished: 0, outOfTurn: 0, all: startTally(), steps: new Map() };
}

/** Adds an attempt to every tally it belongs to, or takes it out of them. */
function change({ all, steps }: Counting, attempt: WalkedAttempt, how: "add" | "remove"): void {
  const { step, startedAt } = attempt;
  const of = steps.get(step) ?? { all: startTally(), versions: new Map(), weeks: new Map() };
  steps.set(step, of);
  const tallies = [all, of.all, entry(of.versions, gateVersion(attempt)), entry(of.weeks, weekOf(startedAt))];
  for (const tally of tallies) tally[how](attempt);
}

function entry<Key>(tallies: Map<Key, Tally>, key: Key): Tally {
  const known = tallies.get(key) ?? startTally();
  tallies.set(key, known);
  return known;
}

/** The counted parts of an attempt as it is now, and nothing of its submissions. */
function lean(attempt: WalkedAttempt): WalkedAttempt {
  const { workflow, pass, step, state, startedAt, endedAt, waits, judgedBy, handIns: submissions } = attempt;
  const handIns = submissions.map(({ number, at, outcome, code, lacked, judgedBy: by }) => ({
    ...{ number, at, outcome },
    ...defined({ code, lacked, judgedBy: by }),
  }));
  return {
    ...{ workflow, pass, step, attempt: attempt.attempt, state, startedAt, handIns },
    waits: waits.map((wait) => ({ ...wait })),
    ...defined({ endedAt, judgedBy }),
  };
}

function insightsOf({ kind, name, walks, finished, outOfTurn, all, steps }: Counting): WorkflowInsights {
  return {
    ...{ workflow: name, kind, walks, finished, outOfTurn },
    all: all.figures(),
    steps: [...steps].flatMap(([step, own]) =>
      own.all.since() === undefined
        ? []
        : {
            step,
            ...own.all.figures(),
            versions: [...own.versions]
              .flatMap(([version, tally]) => sinceThen(tally).map((since) => ({ version, since, ...tally.figures() })))
              .sort((a, b) => (a.since < b.since ? 1 : -1)),
            weeks: [...own.weeks]
              .flatMap(([since, tally]) => sinceThen(tally).map(() => [since, tally] as const))
              .sort(([a], [b]) => (a < b ? 1 : -1))
              .slice(0, mostWeeks)
              .map(([since, tally]) => ({ since, ...ratesOf(tally) })),
          },
    ),
  };
}

/** When a tally began; nothing if all its attempts were taken out. */
function sinceThen(tally: Tally): readonly string[] {
  const since = tally.since();
  return since === undefined ? [] : [since];
}

function ratesOf(tally: Tally): Rates {
  const { completed, work, firstPass, waits } = tally.figures();
  return { completed, work, firstPass, waits };
}

/** The number of weeks of a step that are kept. */
const mostWeeks = 12;

/** The Monday of the week of a recorded time; the time itself if it is none. */
function weekOf(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  time.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7));
  return time.toISOString().slice(0, 10);
}
