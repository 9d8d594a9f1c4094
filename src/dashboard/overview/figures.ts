import { readJudgedBy } from "../../gates/judged-by.ts";
import { digestOf } from "../../kit/json.ts";
import type { Figures, Spread } from "./insights-data.ts";
import type { WalkedAttempt } from "./walk.ts";

/** Adds attempts up to figures. */
export type Tally = { add(attempt: WalkedAttempt): void; figures(): Figures };

/** Starts a tally. */
export function startTally(): Tally {
  const work: number[] = [];
  const waits: number[] = [];
  const refusals = new Map<string, number>();
  const missed = new Map<string, number>();
  let completed = 0;
  let declined = 0;
  let passed = 0;
  let tried = 0;
  return {
    add(attempt) {
      const waited = attempt.waits.flatMap(({ from, to }) => (to === undefined ? [] : [secondsApart(from, to)]));
      for (const one of waited) waits.push(one);
      if (attempt.state === "completed" || attempt.state === "superseded") {
        completed += 1;
        const all = secondsApart(attempt.startedAt, attempt.endedAt ?? attempt.startedAt);
        work.push(Math.max(0, all - waited.reduce((sum, one) => sum + one, 0)));
      }
      const judged = attempt.handIns.filter(({ outcome }) => outcome !== "checking");
      if (judged.length > 0) {
        tried += 1;
        if (judged[0]?.outcome !== "refused") passed += 1;
      }
      for (const { outcome, code, lacked = [] } of judged) {
        if (outcome === "declined") declined += 1;
        if (outcome !== "refused" || code === undefined) continue;
        count(refusals, code);
        for (const field of lacked) count(missed, field);
      }
    },
    figures: () => ({
      completed,
      work: spread(work),
      firstPass: { passed, of: tried },
      refusals: mostFirst(refusals).map(([code, times]) => ({ code, times })),
      missed: mostFirst(missed)
        .slice(0, mostMissed)
        .map(([field, times]) => ({ field, times })),
      waits: { ...spread(waits), declined },
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

function count(into: Map<string, number>, key: string): void {
  into.set(key, (into.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  const median =
    upper === undefined ? null : sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
  return { times: sorted.length, median, longest: sorted.at(-1) ?? null };
}
