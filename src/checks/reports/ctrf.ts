import * as z from "zod/v4";
import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";

/** Reads the Common Test Report Format (ctrf.io); a test that ended in another way is a failure, and the summary must not say otherwise. */
export function ctrfReader(): ReportReader {
  let all = "";
  return {
    write(text) {
      all += text;
    },
    end() {
      const read = readAll(all);
      if (read === undefined) return { problem: "it is not a CTRF report" };
      const tally = tallyTests();
      for (const { name, status, duration } of read.tests) {
        tally.add(endings[status], typeof duration === "number" ? duration / 1000 : undefined, name ?? "");
      }
      const problem = contradictionOf(read.summary, tally.count(), tally.count("failed"));
      return problem === undefined ? tally.read() : { problem };
    },
  };
}

type Results = z.infer<typeof report>["results"];

function readAll(text: string): Results | undefined {
  try {
    return report.safeParse(JSON.parse(text)).data?.results;
  } catch {
    return undefined;
  }
}

function contradictionOf(summary: Results["summary"], tests: number, failed: number): string | undefined {
  if (tests === 0) return undefined;
  const most = Math.max(summary.tests, summary.passed);
  if (most > tests) return `it claims ${most} tests and shows ${tests}`;
  const broken = summary.failed + summary.other;
  return broken > failed ? `it claims ${broken} failures and shows ${failed}` : undefined;
}

const endings = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  other: "failed",
} as const satisfies Record<string, TestResult>;

const report = z.object({
  results: z.object({
    summary: z.object({
      tests: z.number(),
      passed: z.number(),
      failed: z.number(),
      other: z.number().catch(0),
    }),
    tests: z.array(
      z.object({
        name: z.string().optional().catch(undefined),
        status: z.enum(["passed", "failed", "skipped", "pending", "other"]),
        duration: z.number().nullish().catch(undefined),
      }),
    ),
  }),
});
