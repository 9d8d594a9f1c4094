import { defined } from "../../kit/defined.ts";
import { workflowLabel } from "../../messages/stream-words.ts";
import type { Event } from "../../workflow/events.ts";
import { isGateRefusal } from "../../workflow/replay-refusal.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { gateVersion, startTally, type Tally } from "./figures.ts";
import type { Insights, Rates, WorkflowInsights } from "./insights-data.ts";
import { followWalk, type WalkedAttempt } from "./walk.ts";

/** Adds up histories one event at a time, so that nothing is read twice. */
export type InsightsReader = { stream(id: StreamId): (event: Event) => void; insights(): Insights };

/** Starts a reader. Open attempts count once they end, except for refusals so far. */
export function insightsReader(): InsightsReader {
  const workflows = new Map<string, Counting>();
  const open: (() => readonly (readonly [StreamId, WalkedAttempt])[])[] = [];
  let runs = 0;
  let events = 0;
  const countingOf = (id: StreamId, workflow: string, into = workflows): Counting => {
    const name = workflowLabel(id, workflow);
    const known = into.get(`${id.kind} ${name}`) ?? newCounting(id.kind, name);
    into.set(`${id.kind} ${name}`, known);
    return known;
  };
  return {
    stream(id) {
      runs += 1;
      const follower = followWalk((attempt) => add(countingOf(id, attempt.workflow), attempt), false);
      open.push(() => follower.attempts().map((attempt) => [id, attempt] as const));
      const begun = new Set<string>();
      return (event) => {
        events += 1;
        follower.feed(event);
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
      const under = open.flatMap((attempts) => attempts());
      return {
        runs,
        events,
        workflows: [...workflows.values()]
          .map((one) =>
            insightsOf(
              one,
              under.filter(([id, { workflow }]) => countingOf(id, workflow) === one),
            ),
          )
          .sort((a, b) => (a.workflow < b.workflow ? -1 : 1)),
      };
    },
  };
}

/** The counts of one workflow; ended attempts are kept lean. */
type Counting = {
  readonly kind: StreamId["kind"];
  readonly name: string;
  walks: number;
  finished: number;
  outOfTurn: number;
  readonly ended: WalkedAttempt[];
};

function newCounting(kind: StreamId["kind"], name: string): Counting {
  return { kind, name, walks: 0, finished: 0, outOfTurn: 0, ended: [] };
}

/** Keeps the counted parts of an attempt, and nothing of its submissions. */
function add({ ended }: Counting, attempt: WalkedAttempt): void {
  const { workflow, pass, step, state, startedAt, endedAt, waits, judgedBy, handIns: submissions } = attempt;
  const lean = submissions.map(({ number, at, outcome, code, lacked, judgedBy: by }) => ({
    ...{ number, at, outcome },
    ...defined({ code, lacked, judgedBy: by }),
  }));
  ended.push({
    ...{ workflow, pass, step, attempt: attempt.attempt, state, startedAt, waits, handIns: lean },
    ...defined({ endedAt, judgedBy }),
  });
}

function insightsOf(counting: Counting, open: readonly (readonly [StreamId, WalkedAttempt])[]): WorkflowInsights {
  const { kind, name, walks, finished, outOfTurn, ended } = counting;
  const all = startTally();
  const steps = new Map<string, Tally>();
  const versions = new Map<string, Map<string | null, { readonly tally: Tally; since: string }>>();
  const weeks = new Map<string, Map<string, Tally>>();
  for (const attempt of [...ended, ...open.map(([, attempt]) => attempt)]) {
    const { step, startedAt } = attempt;
    const own = steps.get(step) ?? startTally();
    const ofStep = versions.get(step) ?? new Map<string | null, { readonly tally: Tally; since: string }>();
    const version = gateVersion(attempt);
    const ofVersion = ofStep.get(version) ?? { tally: startTally(), since: startedAt };
    if (startedAt < ofVersion.since) ofVersion.since = startedAt;
    const ofWeeks = weeks.get(step) ?? new Map<string, Tally>();
    const ofWeek = ofWeeks.get(weekOf(startedAt)) ?? startTally();
    for (const one of [all, own, ofVersion.tally, ofWeek]) one.add(attempt);
    weeks.set(step, ofWeeks.set(weekOf(startedAt), ofWeek));
    steps.set(step, own);
    versions.set(step, ofStep.set(version, ofVersion));
  }
  return {
    ...{ workflow: name, kind, walks, finished, outOfTurn },
    all: all.figures(),
    steps: [...steps].map(([step, own]) => ({
      step,
      ...own.figures(),
      versions: [...(versions.get(step) ?? [])]
        .map(([version, { tally: figures, since }]) => ({ version, since, ...figures.figures() }))
        .sort((a, b) => (a.since < b.since ? 1 : -1)),
      weeks: [...(weeks.get(step) ?? [])]
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .slice(0, mostWeeks)
        .map(([since, tally]) => ({ since, ...ratesOf(tally) })),
    })),
  };
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
