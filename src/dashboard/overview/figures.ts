import { readJudgedBy } from "../../gates/judged-by.ts";
import { digestOf } from "../../kit/json.ts";
import { sortedList } from "../../kit/sorted-list.ts";
import type { Figures, Spread } from "./insights-data.ts";
import type { WalkedAttempt } from "./walk.ts";

/** Adds attempts up to figures, and takes back those that have changed. */
export type Tally = {
  add(attempt: WalkedAttempt): void;
  remove(attempt: WalkedAttempt): void;
  /** When the first of them began; undefined without attempts. */
  since(): string | undefined;
  figures(): Figures;
};

/** Starts a tally. */
export function startTally(): Tally {
  const starts = sortedList<string>();
  const work = sortedList<number>();
  const waits = sortedList<number>();
  const refusals = new Map<string, number>();
  const missed = new Map<string, number>();
  let completed = 0;
  let declined = 0;
  let passed = 0;
  let tried = 0;
  function change(attempt: WalkedAttempt, how: "add" | "remove"): void {
    const by = how === "add" ? 1 : -1;
    starts[how](attempt.startedAt);
    const waited = attempt.waits.flatMap(({ from, to }) => (to === undefined ? [] : [secondsApart(from, to)]));
    for (const one of waited) waits[how](one);
    if (attempt.state === "completed" || attempt.state === "superseded") {
      completed += by;
      const all = secondsApart(attempt.startedAt, attempt.endedAt ?? attempt.startedAt);
      work[how](Math.max(0, all - waited.reduce((sum, one) => sum + one, 0)));
    }
    const judged = attempt.handIns.filter(({ outcome }) => outcome !== "checking");
    if (judged.length > 0) {
      tried += by;
      if (judged[0]?.outcome !== "refused") passed += by;
    }
    for (const { outcome, code, lacked = [] } of judged) {
      if (outcome === "declined") declined += by;
      if (outcome !== "refused" || code === undefined) continue;
      count(refusals, code, by);
      for (const field of lacked) count(missed, field, by);
    }
  }
  return {
    add: (attempt) => change(attempt, "add"),
    remove: (attempt) => change(attempt, "remove"),
    since: () => starts.values()[0],
    figures: () => ({
      completed,
      work: spread(work.values()),
      firstPass: { passed, of: tried },
      refusals: mostFirst(refusals).map(([code, times]) => ({ code, times })),
      missed: mostFirst(missed)
        .slice(0, mostMissed)
        .map(([field, times]) => ({ field, times })),
      waits: { ...spread(waits.values()), declined },
    }),
  };
}

/** The number of fields named for each gate. */
const mostMissed = 5;

/** A short name of what judged an attempt; null if it is not on record. */
export function gateVersion({ handIns: submissions, judgedBy }: WalkedAttempt): string | null {
  const by = readJudgedBy(submissions.findLast((one) => one.judgedBy !== undefined)?.judgedBy ?? judgedBy);
  if (by === undefined) return null;
  if ("form" in by) return by.form;
  // settings are not part of the definition: the same gate in a strict project is the same gate
  return digestOf([by.gate, by.sequence, by.rules ?? null]).slice(0, 8);
}

/** The seconds between two recorded times. */
export function secondsApart(from: string, to: string): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

function count(into: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (into.get(key) ?? 0) + by;
  if (now === 0) into.delete(key);
  else into.set(key, now);
}

function mostFirst(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function spread(sorted: readonly number[]): Spread {
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  const median =
    upper === undefined ? null : sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
  return { times: sorted.length, median, longest: sorted.at(-1) ?? null };
}
