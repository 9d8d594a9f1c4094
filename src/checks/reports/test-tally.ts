import type { ReportRead } from "./report.ts";

/** The result of one test: an error is a failure; left out or todo is skipped. */
export type TestResult = "passed" | "failed" | "skipped";

/** Counts tests one by one, ignoring the report's totals. */
export type Tally = {
  /** Adds one test and its seconds, if known. */
  add(ending: TestResult, seconds?: number): void;
  read(): ReportRead;
};

/** Starts a count. */
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
      if (tests === 0) return { problem: "it contains no tests" };
      const lasted = isTimed ? { duration: Math.round(duration * 1000) / 1000 } : {};
      return { facts: { tests, ...count, ...lasted } };
    },
  };
}
