import { Parser, type Result } from "tap-parser";
import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";

/** Reads a TAP report: leaf points are tests; the point that closes a subtest is not. */
export function tapReader(): ReportReader {
  const tally = tallyTests();
  let problem: string | undefined;
  const follow = (parser: Parser): void => {
    let subtest: Parser | undefined;
    let failedBefore = 0;
    parser.on("child", (child: Parser) => {
      subtest = child;
      failedBefore = tally.count("failed");
      follow(child);
    });
    parser.on("assert", (point: Result) => {
      // A subtest without points counts by its closing point.
      const isLeaf = subtest === undefined || subtest.count === 0;
      subtest = undefined;
      if (isLeaf) tally.add(endingOf(point), secondsOf(point), point.name);
      else if (endingOf(point) === "failed" && tally.count("failed") === failedBefore)
        problem ??= `its subtest "${point.name}" failed outside of its tests`;
    });
    parser.on("comment", (comment: string) => {
      // Runners end with their totals.
      const [, failed] = /^# (?:fail|cancelled) (\d+)\s*$/.exec(comment) ?? [];
      if (Number(failed) > 0 && tally.count("failed") === 0)
        problem ??= `it claims ${failed} failed tests and shows none`;
    });
    parser.on("bailout", (reason: unknown) => {
      problem ??= `it bailed out: ${String(reason)}`;
    });
    parser.on("complete", ({ failures }: { failures: readonly { tapError?: string | null }[] }) => {
      const broken = failures.find(({ tapError }) => typeof tapError === "string");
      problem ??= broken?.tapError ?? undefined;
    });
  };
  const parser = new Parser();
  follow(parser);
  return {
    write: (text) => void parser.write(text),
    end() {
      parser.end();
      return problem === undefined ? tally.read() : { problem };
    },
  };
}

function endingOf({ ok, skip, todo }: Result): TestResult {
  if (skip || todo) return "skipped";
  return ok ? "passed" : "failed";
}

function secondsOf({ time, diag }: Result): number | undefined {
  if (typeof time === "number") return time / 1000;
  const lasted: unknown = (diag as Readonly<Record<string, unknown>> | undefined)?.duration_ms;
  return typeof lasted === "number" ? lasted / 1000 : undefined;
}
