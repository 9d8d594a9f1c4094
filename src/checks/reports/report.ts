import type { Facts } from "../../gates/check.ts";
import { type CoverageCount, coverageFacts, mergeCoverage } from "./coverage.ts";
import { mergeTests, type TestCount, testFacts } from "./test-tally.ts";

/** The counts of a report, or why it cannot be used. */
export type ReportCount =
  | { readonly tests: TestCount }
  | { readonly coverage: CoverageCount }
  | { readonly problem: string };

/** Reads a report in chunks and returns what it counts at the end. */
export type ReportReader = { write(text: string): void; end(): ReportCount };

/** The facts of reports with the names of failing tests, or why they cannot be used. */
export type ReportRead = { readonly facts: Facts; readonly failing?: readonly string[] } | { readonly problem: string };

/** Adds up what several reports of one check count. */
export function addUp(counts: readonly ReportCount[]): ReportRead {
  const problem = counts.find((one) => "problem" in one);
  if (problem !== undefined && "problem" in problem) return problem;
  const tests = counts.flatMap((one) => ("tests" in one ? [one.tests] : []));
  const coverage = counts.flatMap((one) => ("coverage" in one ? [one.coverage] : []));
  const all = mergeTests(tests);
  return {
    facts: {
      ...(tests.length === 0 ? {} : testFacts(all)),
      ...(coverage.length === 0 ? {} : coverageFacts(mergeCoverage(coverage))),
    },
    ...(all.failing.length === 0 ? {} : { failing: all.failing }),
  };
}
