import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  watch as watchFolder,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ReportFormat } from "../../gates/check.ts";
import { readReport } from "./read-report.ts";
import { type ReportWatch, watchReports } from "./watch-reports.ts";

function makeArea(): string {
  const area = mkdtempSync(join(tmpdir(), "waymark-reports-"));
  onTestFinished(() => rmSync(area, { recursive: true }));
  mkdirSync(join(area, "reports"));
  return area;
}

async function read(format: ReportFormat, text: string) {
  const file = join(makeArea(), "report");
  writeFileSync(file, text);
  return readReport(file, format);
}

const junit = (passed: number, failed = 0): string =>
  `<testsuites>${'<testcase name="good" time="1"/>'.repeat(passed)}${'<testcase name="bad" time="1"><failure/></testcase>'.repeat(failed)}</testsuites>`;

const json = (more: object): string =>
  JSON.stringify({ testResults: [{ status: "passed", assertionResults: [{ status: "passed" }] }], ...more });

const ctrf = (summary: object): string =>
  JSON.stringify({
    results: { summary: { tests: 1, passed: 1, failed: 0, ...summary }, tests: [{ name: "good", status: "passed" }] },
  });

const contradictory: readonly (readonly [string, ReportFormat, string])[] = [
  [
    "a suite with an error of its own",
    "junit",
    '<testsuites><testsuite name="a"><error/><testcase/></testsuite></testsuites>',
  ],
  ["a suite with a failure of its own", "junit", '<testsuite name="a"><testcase/><failure message="x"/></testsuite>'],
  ["failures without one", "junit", '<testsuites><testsuite failures="1"><testcase/></testsuite></testsuites>'],
  ["errors without one", "junit", '<testsuites><testsuite errors="2"><testcase/></testsuite></testsuites>'],
  [
    "failures of all suites without one",
    "junit",
    '<testsuites failures="1"><testsuite><testcase/></testsuite></testsuites>',
  ],
  ["more tests than there are", "junit", '<testsuite tests="3"><testcase/></testsuite>'],
  [
    "failures of a suite that are another's",
    "junit",
    '<testsuites><testsuite failures="1"><testcase/></testsuite><testsuite><testcase><failure/></testcase></testsuite></testsuites>',
  ],
  ["no success", "vitest", json({ success: false })],
  ["failed tests without one", "vitest", json({ success: true, numFailedTests: 1 })],
  ["failed suites without one", "vitest", json({ numFailedTestSuites: 1 })],
  ["suites that could not run", "vitest", json({ numRuntimeErrorTestSuites: 1 })],
  ["more tests than there are", "vitest", json({ numTotalTests: 9 })],
  ["a run that was interrupted", "vitest", json({ wasInterrupted: true })],
  ["a success that is no yes or no", "vitest", json({ success: "no" })],
  ["a failure without one", "ctrf", ctrf({ failed: 1 })],
  ["another ending without one", "ctrf", ctrf({ other: 1 })],
  ["more tests than there are", "ctrf", ctrf({ tests: 9 })],
  [
    "a subtest that failed outside of its tests",
    "tap",
    "TAP version 14\n# Subtest: a\n    ok 1 - x\n    1..1\nnot ok 1 - a\n1..1\n",
  ],
  ["a total of failures without one", "tap", "TAP version 13\nok 1 - a\n1..1\n# fail 1\n"],
];

// Attack (file tools): Write a report that contradicts itself: totals, a failed suite, `success: false`
// -> Refused: tests are counted one by one, and such a report is not used
test.each(contradictory)("a report that contradicts itself is of no use: %s (%s)", async (_what, format, text) => {
  expect(await read(format, text)).toHaveProperty("problem");
});

test.each([
  ["a status", '<testsuite><testcase name="x" status="failed"/></testsuite>'],
  ["a result", '<testsuite><testcase name="x" result="error"/></testsuite>'],
  ["an element in a namespace", '<testsuite xmlns:j="j"><testcase name="x"><j:failure/></testcase></testsuite>'],
  ["an element in capitals", '<testsuite><testcase name="x"><Error/></testcase></testsuite>'],
  ["an element further in", '<testsuite><testcase name="x"><failures><failure/></failures></testcase></testsuite>'],
])("JUnit: a test fails by %s too, and is named", async (_what, text) => {
  expect(await read("junit", text)).toMatchObject({ facts: { failed: 1 }, failing: ["x"] });
});

test("names of failing tests are single lines without control characters, and at most twenty are kept", async () => {
  const names = ["a\u001b[31mb", "line&#10;break", "", "x".repeat(500), ...Array.from({ length: 30 }, () => "n")];
  const cases = names.map((name) => `<testcase name="${name.replace("\u001b", "&#155;")}"><failure/></testcase>`);
  const found = await read("junit", `<testsuite>${cases.join("")}</testsuite>`);
  if ("problem" in found) throw new Error(found.problem);
  expect(found.failing).toHaveLength(20);
  expect(found.failing?.slice(0, 3)).toEqual(["a [31mb", "line break", "a test without a name"]);
  expect(found.failing?.[3]?.length).toBe(120);
});

/** Watches two reports by hand: nothing is looked at on its own. */
async function watching(area: string, formats: readonly ReportFormat[] = ["junit"]): Promise<ReportWatch> {
  const reports = formats.map((format, at) => ({ format, path: `reports/${at}` }));
  return watchReports(area, reports, 1 << 30);
}

describe("reports of one check", () => {
  test("are added up, tests as well as what is covered", async () => {
    const area = makeArea();
    const watch = await watching(area, ["junit", "vitest", "lcov", "lcov"]);
    writeFileSync(join(area, "reports/0"), junit(0, 2));
    writeFileSync(join(area, "reports/1"), json({}));
    writeFileSync(join(area, "reports/2"), "SF:a\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\n");
    writeFileSync(join(area, "reports/3"), "SF:a\nDA:1,0\nDA:2,1\nend_of_record\nSF:b\nDA:1,1\nend_of_record\n");
    expect(await watch.read()).toEqual({
      facts: { tests: 3, passed: 1, failed: 2, skipped: 0, lines_percent: 75 },
      failing: ["bad", "bad"],
    });
  });

  test("count only if each of them was written", async () => {
    const area = makeArea();
    const watch = await watching(area, ["junit", "junit"]);
    writeFileSync(join(area, "reports/0"), junit(1));
    expect(await watch.read()).toEqual({ problem: "its report reports/1 was not written" });
  });

  test("may grow while they are written", async () => {
    const area = makeArea();
    const watch = await watching(area);
    for (const part of ["", "<testsuites>", "<testcase/>", "<testcase/></testsuites>"]) {
      appendFileSync(join(area, "reports/0"), part);
      await watch.look();
    }
    expect(await watch.read()).toMatchObject({ facts: { tests: 2 } });
  });

  const replaced: readonly (readonly [string, (file: string) => void])[] = [
    ["a shorter text", (file) => writeFileSync(file, junit(1))],
    [
      "another file of the same name",
      (file) => {
        writeFileSync(`${file}.new`, junit(9));
        renameSync(`${file}.new`, file);
      },
    ],
    ["a text of the same length", (file) => writeFileSync(file, readFileSync(file, "utf8").replace("bad", "odd"))],
    ["a longer text", (file) => writeFileSync(file, junit(30))],
    ["nothing, and then something", (file) => rmSync(file)],
  ];
  // Attack (shell): Replace a report while its check runs, also at once, as something that waits for it
  test.each(replaced)("do not count if something replaces them meanwhile: by %s", async (_what, replace) => {
    const area = makeArea();
    const file = join(area, "reports/0");
    const watch = await watching(area);
    writeFileSync(file, junit(0, 2));
    utimesSync(file, 1, 1);
    await watch.look();
    replace(file);
    await watch.look();
    appendFileSync(file, " ");
    expect(await watch.read()).toMatchObject({ problem: expect.stringContaining("was written more than once") });
  });

  test.runIf(process.platform === "linux")(
    "do not count if something that waits for them replaces them at once, between two looks",
    async () => {
      const area = makeArea();
      const file = join(area, "reports/0");
      writeFileSync(join(area, "evil"), junit(9));
      const watch = await watching(area);
      const waiting = watchFolder(join(area, "reports"), () => {
        if (existsSync(join(area, "evil"))) renameSync(join(area, "evil"), file);
      });
      onTestFinished(() => waiting.close());
      writeFileSync(file, junit(0, 2));
      while (existsSync(join(area, "evil"))) await new Promise((resolve) => setImmediate(resolve));
      expect(await watch.read()).toMatchObject({ problem: expect.stringContaining("was written more than once") });
    },
  );

  // Attack (file tools): Make a report by hand, or leave one from an earlier run
  test("of an earlier run count for nothing, whatever their date, and are back if there is none of this run", async () => {
    const area = makeArea();
    const file = join(area, "reports/0");
    writeFileSync(file, junit(3));
    const watch = await watching(area);
    expect(await watch.read()).toEqual({ problem: "its report reports/0 is older than this run" });
    expect(readFileSync(file, "utf8")).toBe(junit(3));
  });
});
