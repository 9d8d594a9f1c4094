import type { Facts } from "../../gates/check.ts";

/** The result of one test: an error is a failure; left out or todo is skipped. */
export type TestResult = "passed" | "failed" | "skipped";

/** The tests of a report, with the names of those that failed. */
export type TestCount = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** In seconds; undefined if one test has none. */
  readonly duration: number | undefined;
  readonly failing: readonly string[];
};

/** Counts tests one by one. */
export type Tally = {
  /** Adds one test, with its name and its seconds, if known. */
  add(ending: TestResult, seconds: number | undefined, name: string): void;
  /** The number of tests so far that ended like this. */
  count(ending?: TestResult): number;
  read(): { readonly tests: TestCount } | { readonly problem: string };
};

/** Starts a count. */
export function tallyTests(): Tally {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failing: string[] = [];
  let duration = 0;
  let isTimed = true;
  const all = (): number => count.passed + count.failed + count.skipped;
  return {
    add(ending, seconds, name) {
      count[ending] += 1;
      if (ending === "failed" && failing.length < mostNames) failing.push(oneLine(name));
      if (seconds !== undefined && Number.isFinite(seconds) && seconds >= 0) duration += seconds;
      else if (ending !== "skipped") isTimed = false;
    },
    count: (ending) => (ending === undefined ? all() : count[ending]),
    read() {
      if (all() === 0) return { problem: "it contains no tests" };
      return { tests: { ...count, duration: isTimed ? duration : undefined, failing } };
    },
  };
}

/** Adds up the tests of several reports. */
export function mergeTests(counts: readonly TestCount[]): TestCount {
  const sum = (of: (one: TestCount) => number): number => counts.reduce((all, one) => all + of(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    duration: counts.some((one) => one.duration === undefined) ? undefined : sum(({ duration = 0 }) => duration),
    failing: counts.flatMap(({ failing }) => failing).slice(0, mostNames),
  };
}

/** The facts that a count of tests gives. */
export function testFacts({ passed, failed, skipped, duration }: TestCount): Facts {
  const lasted = duration === undefined ? {} : { duration: Math.round(duration * 1000) / 1000 };
  return { tests: passed + failed + skipped, passed, failed, skipped, ...lasted };
}

/** The most names of failing tests that are kept. */
const mostNames = 20;

function oneLine(name: string): string {
  const text = name
    .replace(/\p{C}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? "a test without a name" : text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
