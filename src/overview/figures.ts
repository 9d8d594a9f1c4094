import { digestOf } from "../evidence/json.ts";
import { readJudgedBy } from "../evidence/judged-by.ts";
import type { WalkedAttempt } from "./walk.ts";

/** What is known of one gate, over however many attempts. Times are in seconds. */
export type Figures = {
  /** Attempts that were completed. */
  readonly completed: number;
  /** How long it was worked at, until it was completed, without the time that people were waited for. */
  readonly work: Spread;
  /** Gates that were tried, and how many of them let the first hand-in through. */
  readonly firstPass: { readonly passed: number; readonly of: number };
  readonly refusals: readonly Counted<"code">[];
  /** The fields, rules and checks that were wanting most. */
  readonly missed: readonly Counted<"field">[];
  /** How long people were waited for, and how often they said no. */
  readonly waits: Spread & { readonly declined: number };
};

/** How a number of times are spread. */
export type Spread = { readonly times: number; readonly median: number | null; readonly longest: number | null };

type Counted<Name extends string> = { readonly [Key in Name]: string } & { readonly times: number };

/** Adds attempts up to figures. */
export type Tally = { add(attempt: WalkedAttempt): void; figures(): Figures };

/** Begins to add up. */
export function tally(): Tally {
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
      const waited = attempt.waits.flatMap(({ from, to }) => (to === undefined ? [] : [secondsFrom(from, to)]));
      for (const one of waited) waits.push(one);
      if (attempt.state === "completed" || attempt.state === "superseded") {
        completed += 1;
        const all = secondsFrom(attempt.startedAt, attempt.endedAt ?? attempt.startedAt);
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
      work: spreadOf(work),
      firstPass: { passed, of: tried },
      refusals: mostFirst(refusals).map(([code, times]) => ({ code, times })),
      missed: mostFirst(missed)
        .slice(0, mostMissed)
        .map(([field, times]) => ({ field, times })),
      waits: { ...spreadOf(waits), declined },
    }),
  };
}

/** So many fields are named of each gate. */
const mostMissed = 5;

/** A short name for what an attempt was judged by; null where that is not on record. */
export function versionOf({ handIns, judgedBy }: WalkedAttempt): string | null {
  const by = readJudgedBy(handIns.findLast((one) => one.judgedBy !== undefined)?.judgedBy ?? judgedBy);
  if (by === undefined) return null;
  if ("form" in by) return by.form;
  // Settings are no part of the definition: the same gate in a strict project is the same gate.
  return digestOf([by.gate, by.sequence, by.rules ?? null]).slice(0, 8);
}

/** Seconds between two moments on record. */
export function secondsFrom(from: string, to: string): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

function count(into: Map<string, number>, key: string): void {
  into.set(key, (into.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  const median =
    upper === undefined ? null : sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
  return { times: sorted.length, median, longest: sorted.at(-1) ?? null };
}
