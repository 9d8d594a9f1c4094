import * as z from "zod/v4";
import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";

/** Reads the JSON report of vitest or jest; a file that could not run is one failed test, and totals must not say otherwise. */
export function vitestReader(): ReportReader {
  let all = "";
  return {
    write(text) {
      all += text;
    },
    end() {
      const read = readAll(all);
      if (read === undefined) return { problem: "it is not a vitest or jest JSON report" };
      const tally = tallyTests();
      for (const { name = "", status, assertionResults } of read.testResults) {
        for (const test of assertionResults) {
          const seconds = typeof test.duration === "number" ? test.duration / 1000 : undefined;
          tally.add(endings[test.status], seconds, test.fullName ?? test.title ?? "");
        }
        if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
          tally.add("failed", 0, name);
      }
      const problem = contradictionOf(read, tally.count(), tally.count("failed"));
      return problem === undefined ? tally.read() : { problem };
    },
  };
}

type Report = z.infer<typeof report>;

function readAll(text: string): Report | undefined {
  try {
    return report.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function contradictionOf(read: Report, tests: number, failed: number): string | undefined {
  const { numTotalTests = 0, numPassedTests = 0 } = read;
  if (tests === 0) return undefined;
  if (read.wasInterrupted === true) return "the run was interrupted";
  const broken = Math.max(read.numFailedTests ?? 0, read.numFailedTestSuites ?? 0, read.numRuntimeErrorTestSuites ?? 0);
  if (failed === 0 && broken > 0) return `it claims ${broken} failures and shows none`;
  if (failed === 0 && read.success === false) return "it says that the run failed and shows no failed test";
  const most = Math.max(numTotalTests, numPassedTests);
  return most > tests ? `it claims ${most} tests and shows ${tests}` : undefined;
}

const endings = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
  disabled: "skipped",
} as const satisfies Record<string, TestResult>;

const total = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);

const report = z.object({
  success: z.boolean().optional().catch(false),
  wasInterrupted: z.boolean().optional().catch(undefined),
  numTotalTests: total,
  numPassedTests: total,
  numFailedTests: total,
  numFailedTestSuites: total,
  numRuntimeErrorTestSuites: total,
  testResults: z.array(
    z.object({
      name: text,
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled"]),
          fullName: text,
          title: text,
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
});
