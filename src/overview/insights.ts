import type { DeskId } from "../engine/ports.ts";
import type { Event } from "../workflow/events.ts";
import { isByGate } from "../workflow/replay-refusal.ts";
import { type Figures, type Tally, tally, versionOf } from "./figures.ts";
import { type WalkedAttempt, walker } from "./walk.ts";

/** How a process does, over all runs on record: what to mend of it, and where. */
export type Insights = {
  readonly runs: number;
  readonly events: number;
  readonly workflows: readonly WorkflowInsights[];
};

/** How one workflow does: a behavior of a bot, or a phased workflow. */
export type WorkflowInsights = {
  readonly workflow: string;
  readonly kind: DeskId["kind"];
  /** The passes that were begun, and those that were walked to their end. */
  readonly walks: number;
  readonly finished: number;
  /** Calls out of turn: steps that were asked for before their time, by code. */
  readonly outOfTurn: number;
  readonly all: Figures;
  readonly steps: readonly StepInsights[];
};

/** How one step does: over all, and by what it was judged by, the newest version first. */
export type StepInsights = Figures & {
  readonly step: string;
  readonly versions: readonly (Figures & { readonly version: string | null; readonly since: string })[];
};

/** Adds up histories, one event at a time; what has been fed need not be read again. */
export type InsightsReader = { desk(id: DeskId): (event: Event) => void; insights(): Insights };

/** Begins to add up. What is still open counts once it has ended, but for what its gate has said so far. */
export function insightsReader(): InsightsReader {
  const workflows = new Map<string, Counting>();
  const open: (() => readonly (readonly [DeskId, WalkedAttempt])[])[] = [];
  let runs = 0;
  let events = 0;
  const countingOf = (id: DeskId, workflow: string, into = workflows): Counting => {
    const name = id.kind === "session" ? workflow : `${id.name}.${workflow}`;
    const known = into.get(`${id.kind} ${name}`) ?? newCounting(id.kind, name);
    into.set(`${id.kind} ${name}`, known);
    return known;
  };
  return {
    desk(id) {
      runs += 1;
      const follower = walker((attempt) => add(countingOf(id, attempt.workflow), attempt), false);
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
        if (event.type === "refused" && !isByGate(event.code)) countingOf(id, event.workflow).outOfTurn += 1;
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

/** What is counted of one workflow; the attempts themselves are let go once they have ended. */
type Counting = {
  readonly kind: DeskId["kind"];
  readonly name: string;
  walks: number;
  finished: number;
  outOfTurn: number;
  readonly ended: WalkedAttempt[];
};

function newCounting(kind: DeskId["kind"], name: string): Counting {
  return { kind, name, walks: 0, finished: 0, outOfTurn: 0, ended: [] };
}

/** Keeps of an attempt what is counted, and nothing of what was handed in. */
function add({ ended }: Counting, attempt: WalkedAttempt): void {
  const { workflow, pass, step, state, startedAt, endedAt, waits, judgedBy, handIns } = attempt;
  const lean = handIns.map(({ number, at, outcome, code, lacked, judgedBy: by }) => ({
    ...{ number, at, outcome },
    ...(code === undefined ? {} : { code }),
    ...(lacked === undefined ? {} : { lacked }),
    ...(by === undefined ? {} : { judgedBy: by }),
  }));
  ended.push({
    ...{ workflow, pass, step, attempt: attempt.attempt, state, startedAt, waits, handIns: lean },
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(judgedBy === undefined ? {} : { judgedBy }),
  });
}

function insightsOf(counting: Counting, open: readonly (readonly [DeskId, WalkedAttempt])[]): WorkflowInsights {
  const { kind, name, walks, finished, outOfTurn, ended } = counting;
  const all = tally();
  const steps = new Map<string, Tally>();
  const versions = new Map<string, Map<string | null, { readonly tally: Tally; since: string }>>();
  for (const attempt of [...ended, ...open.map(([, attempt]) => attempt)]) {
    const { step, startedAt } = attempt;
    const own = steps.get(step) ?? tally();
    const ofStep = versions.get(step) ?? new Map<string | null, { readonly tally: Tally; since: string }>();
    const version = versionOf(attempt);
    const ofVersion = ofStep.get(version) ?? { tally: tally(), since: startedAt };
    if (startedAt < ofVersion.since) ofVersion.since = startedAt;
    for (const one of [all, own, ofVersion.tally]) one.add(attempt);
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
    })),
  };
}
