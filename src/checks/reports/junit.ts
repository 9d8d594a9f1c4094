import type { ReportReader } from "./report.ts";
import { type TestResult, tallyTests } from "./test-tally.ts";
import { readXml } from "./xml.ts";

/** Reads a JUnit report: every `<testcase>` is a test; suites and their totals are not, but must not say otherwise. */
export function junitReader(): ReportReader {
  const tally = tallyTests();
  /** The open test cases: some runners nest them. */
  const open: { ending: TestResult; seconds: number | undefined; name: string }[] = [];
  const suites: Suite[] = [];
  let contradiction: string | undefined;
  const xml = readXml(["testsuites", "testsuite"], {
    open(written, attributes) {
      const name = plainName(written);
      const { time, status = "", result = "", classname = "", name: called = "" } = attributes;
      if (name === "testcase") {
        const ending = [status, result].some((one) => brokenWords.test(one))
          ? "failed"
          : [status, result].some((one) => leftOutWords.test(one))
            ? "skipped"
            : "passed";
        const seconds = time === undefined ? undefined : Number(time);
        open.push({ ending, seconds, name: [classname, called].filter((one) => one !== "").join(" ") });
        return;
      }
      const test = open.at(-1);
      if (name === "testsuite" || name === "testsuites") {
        const parent = suites.at(-1);
        if (parent !== undefined) parent.suites += 1;
        suites.push({
          called,
          claims: claimsOf(attributes),
          suites: 0,
          tests: tally.count(),
          failed: tally.count("failed"),
        });
      } else if (name === "failure" || name === "error") {
        if (test !== undefined) test.ending = "failed";
        else contradiction ??= `the suite "${suites.at(-1)?.called ?? ""}" failed outside of its tests`;
      } else if (name === "skipped" && test !== undefined && test.ending !== "failed") test.ending = "skipped";
    },
    close(written) {
      const name = plainName(written);
      if (name === "testsuite" || name === "testsuites") {
        const suite = suites.pop();
        if (suite === undefined) return;
        const parent = suites.at(-1);
        if (parent !== undefined) parent.suites += suite.suites;
        contradiction ??= contradictionOf(suite, tally.count() - suite.tests, tally.count("failed") - suite.failed);
      }
      if (name !== "testcase") return;
      const test = open.pop();
      if (test !== undefined) tally.add(test.ending, test.seconds, test.name);
    },
  });
  return {
    write: xml.write,
    end() {
      const problem = xml.end() ?? contradiction;
      return problem === undefined ? tally.read() : { problem };
    },
  };
}

/** An open suite: what its attributes claim, the suites in it, and the tests counted before it. */
type Suite = {
  readonly called: string;
  readonly claims: { readonly tests: number; readonly failed: number };
  suites: number;
  readonly tests: number;
  readonly failed: number;
};

function claimsOf(attributes: Readonly<Record<string, string>>): Suite["claims"] {
  const number = (name: string): number => Math.max(0, Number(attributes[name]) || 0);
  const leftOut = number("skipped") + number("disabled") + number("ignored");
  return { tests: number("tests") - leftOut, failed: number("failures") + number("errors") };
}

/** Runners count suites among the tests of a suite, and leave tests out; none claims tests or failures that it does not have. */
function contradictionOf({ called, claims, suites }: Suite, tests: number, failed: number): string | undefined {
  if (claims.failed > 0 && failed === 0)
    return `the suite "${called}" claims ${claims.failed} failed tests and shows none`;
  if (claims.tests > tests + suites) return `the suite "${called}" claims ${claims.tests} tests and shows ${tests}`;
  return undefined;
}

/** The name of an element without its namespace. */
function plainName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

const brokenWords = /^(?:fail(?:ed|ure)?|error(?:ed)?|broken|crashed|aborted|time(?:d[ -]?out|out))$/i;
const leftOutWords = /^(?:notrun|skipped|disabled)$/i;
