import type { ReportReader } from "./report.ts";
import { type Ending, tallyTests } from "./tests.ts";
import { readXml } from "./xml.ts";

/** A JUnit report: every `<testcase>` is a test, wherever it stands; suites and the totals of their attributes are none. */
export function junitReader(): ReportReader {
  const tally = tallyTests();
  /** The tests that are open: some runners put one into another. */
  const open: { ending: Ending; seconds: number | undefined }[] = [];
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
