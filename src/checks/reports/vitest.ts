import * as z from "zod/v4";
import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";

/** Reads the JSON report of vitest or jest; a file that could not run is one failed test. */
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
      for (const { status, assertionResults } of read.testResults) {
        for (const test of assertionResults) {
          const seconds = typeof test.duration === "number" ? test.duration / 1000 : undefined;
          tally.add(endings[test.status], seconds);
        }
        if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) tally.add("failed", 0);
      }
      return tally.read();
    },
  };
}

function readAll(text: string): z.infer<typeof report> | undefined {
  try {
    return report.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const endings = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
  disabled: "skipped",
} as const satisfies Record<string, TestResult>;

const report = z.object({
  testResults: z.array(
    z.object({
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled"]),
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
});
