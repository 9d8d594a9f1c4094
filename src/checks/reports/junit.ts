import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";
import { readXml } from "./xml.ts";

/** Reads a JUnit report: every `<testcase>` is a test; suites and their totals are not. */
export function junitReader(): ReportReader {
  const tally = tallyTests();
  /** The open test cases: some runners nest them. */
  const open: { ending: TestResult; seconds: number | undefined }[] = [];
  const xml = readXml(["testsuites", "testsuite"], {
    open(name, { time, status, result }, inside) {
      if (name === "testcase") {
        const isLeftOut = status === "notrun" || status === "skipped" || status === "disabled" || result === "skipped";
        open.push({ ending: isLeftOut ? "skipped" : "passed", seconds: time === undefined ? undefined : Number(time) });
        return;
      }
      const test = open.at(-1);
      if (test === undefined || inside.at(-1) !== "testcase") return;
      if (name === "failure" || name === "error") test.ending = "failed";
      if (name === "skipped" && test.ending !== "failed") test.ending = "skipped";
    },
    close(name) {
      if (name !== "testcase") return;
      const test = open.pop();
      if (test !== undefined) tally.add(test.ending, test.seconds);
    },
  });
  return {
    write: xml.write,
    end() {
      const problem = xml.end();
      return problem === undefined ? tally.read() : { problem };
    },
  };
}
