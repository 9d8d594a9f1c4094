import type { ReportRead } from "./report.ts";

/** How one test ended. An error is a failure; what was left out or is yet to be written is skipped. */
export type Ending = "passed" | "failed" | "skipped";

/** Counts tests one by one: the totals that a report claims are nobody's count. */
export type Tally = {
  /** One test, and how many seconds it took where that is known. */
  add(ending: Ending, seconds?: number): void;
  read(): ReportRead;
};

/** Begins to count. */
export function tallyTests(): Tally {
  const count = { passed: 0, failed: 0, skipped: 0 };
  let duration = 0;
  let isTimed = true;
  return {
    add(ending, seconds) {
      count[ending] += 1;
      if (seconds !== undefined && Number.isFinite(seconds) && seconds >= 0) duration += seconds;
      else if (ending !== "skipped") isTimed = false;
    },
    read() {
      const tests = count.passed + count.failed + count.skipped;
      if (tests === 0) return { problem: "it holds no test" };
      const lasted = isTimed ? { duration: Math.round(duration * 1000) / 1000 } : {};
      return { facts: { tests, ...count, ...lasted } };
    },
  };
}
