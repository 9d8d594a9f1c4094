import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReportFormat } from "../../gates/check.ts";
import { readReport } from "./read-report.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-report-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(format: ReportFormat, text: string | Buffer) {
  const path = join(folder, "report");
  writeFileSync(path, text);
  return readReport(path, format);
}

test("JUnit: tests are counted one by one, where the attributes claim fewer", async () => {
  const report = `<?xml version="1.0"?>
<testsuites tests="4" failures="0">
  <testsuite name="a" tests="5"><testcase name="one" time="0.5"/><testcase name="two" time="1"><failure message="no"/></testcase>
    <testsuite name="inner"><testcase name="three" time="0"><skipped/></testcase></testsuite>
    <testcase name="four" time="0.25"><error/></testcase><testcase name="five" time="0.1" status="notrun"/>
    <testcase name="six" time="0"><system-out>&lt;failure/></system-out></testcase>
  </testsuite>
</testsuites>`;
  const facts = { tests: 6, passed: 2, failed: 2, skipped: 2, duration: 1.85 };
  expect(await read("junit", report)).toEqual({ facts, failing: ["two", "four"] });
});

test.each([
  ["no test", "<testsuites/>", "it contains no tests"],
  ["nothing", "", "line 1: it is empty"],
  ["a plain text", "hello", expect.stringContaining("line 1")],
  ["an element that stays open", "<testsuites><testcase>", expect.stringContaining("Unclosed")],
  [
    "entities of its own",
    '<!DOCTYPE a [<!ENTITY b "c">]><testsuites><testcase/></testsuites>',
    expect.stringContaining("entities"),
  ],
  ["another root", "<coverage/>", expect.stringContaining("it begins with <coverage>")],
  ["depths", `<testsuites>${"<testsuite>".repeat(300)}`, expect.stringContaining("levels deep")],
])("JUnit: %s is no report", async (_what, text, problem) => {
  expect(await read("junit", text)).toEqual({ problem });
});

test("a name with a control character, as Node's own reporter writes it, is only a name", async () => {
  const report = '<testsuites><testcase name="seven \u0001" time="0.1"/></testsuites>';
  expect(await read("junit", report)).toMatchObject({ facts: { tests: 1, passed: 1 } });
});

test("TAP: points at the leaves are tests; one that closes a subtest is none, unless it stands for an empty one", async () => {
  const report = `TAP version 13
# Subtest: one
ok 1 - one
  ---
  duration_ms: 500
  ...
not ok 2 - two
  ---
  duration_ms: 250
  ...
ok 3 - three # SKIP
not ok 4 - four # TODO
# Subtest: suite
    # Subtest: five
    ok 1 - five
      ---
      duration_ms: 250
      ...
    1..1
ok 5 - suite
# Subtest: empty
    1..0
ok 6 - empty # SKIP
1..6
`;
  const facts = { tests: 6, passed: 2, failed: 1, skipped: 3, duration: 1 };
  expect(await read("tap", report)).toEqual({ facts, failing: ["two"] });
});

test.each([
  ["nothing", "", "it contains no tests"],
  ["a plan that was not kept", "1..3\nok 1 - a\n", expect.stringContaining("incorrect number")],
  ["a bail-out", "1..2\nok 1 - a\nBail out! no database\n", "it bailed out: no database"],
])("TAP: %s does not count", async (_what, text, problem) => {
  expect(await read("tap", text)).toMatchObject({ problem });
});

test("vitest and jest: each assertion is a test, and a file that did not run is a failed one", async () => {
  const report = {
    numTotalTests: 4,
    success: false,
    testResults: [
      {
        status: "passed",
        assertionResults: [
          { status: "passed", duration: 500 },
          { status: "pending" },
          { status: "todo", duration: null },
        ],
      },
      { status: "failed", assertionResults: [{ status: "failed", duration: 250 }] },
      { status: "failed", assertionResults: [] },
    ],
  };
  const facts = { tests: 5, passed: 1, failed: 2, skipped: 2, duration: 0.75 };
  expect(await read("vitest", JSON.stringify(report))).toMatchObject({ facts, failing: { length: 2 } });
});

test.each([["{"], ["[]"], ['{"testResults":[{"status":"passed","assertionResults":[{"status":"fine"}]}]}']])(
  "vitest and jest: %s is no report",
  async (text) => {
    expect(await read("vitest", text)).toEqual({ problem: "it is not a vitest or jest JSON report" });
  },
);

test("CTRF: each test is counted, and one that ended in another way has not passed", async () => {
  const tests = [
    { name: "one", status: "passed", duration: 500 },
    { name: "two", status: "failed", duration: 250 },
    { name: "three", status: "other", duration: 0 },
    { name: "four", status: "pending" },
    { name: "five", status: "skipped", duration: 0 },
  ];
  const summary = { tests: 5, passed: 1, failed: 1, skipped: 1, pending: 1, other: 1, start: 1, stop: 2 };
  const report = { reportFormat: "CTRF", specVersion: "0.0.0", results: { tool: { name: "jest" }, summary, tests } };
  const facts = { tests: 5, passed: 1, failed: 2, skipped: 2, duration: 0.75 };
  expect(await read("ctrf", JSON.stringify(report))).toEqual({ facts, failing: ["two", "three"] });
});

test.each([["{"], ["[]"], ['{"results":{"tests":[]}}'], ['{"results":{"summary":{},"tests":[{"status":"fine"}]}}']])(
  "CTRF: %s is no report",
  async (text) => {
    expect(await read("ctrf", text)).toEqual({ problem: "it is not a CTRF report" });
  },
);

test("lcov: lines, branches and functions are counted; the sums that it claims are not believed", async () => {
  const report = `TN:
SF:src/a.js
FN:1,run
FNDA:3,run
FNDA:0,stop
DA:1,3
DA:2,0
DA:3,1
BRDA:1,0,0,1
BRDA:1,0,1,-
LF:1
LH:99
end_of_record
SF:src/a.js
DA:2,1
end_of_record
`;
  expect(await read("lcov", report)).toEqual({
    facts: { lines_percent: 100, branches_percent: 50, functions_percent: 50 },
  });
  expect(await read("lcov", "SF:a\nDA:1,x\n")).toEqual({ problem: "line 2: DA:1,x cannot be read" });
  expect(await read("lcov", "LF:10\nLH:10\n")).toEqual({ problem: "it contains no lines of code" });
});

test("Cobertura: a line that stands with its method and its class is one line; percentages are never rounded up", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `<line number="${at + 1}" hits="${at === 7 ? 0 : 1}"/>`).join(
    "",
  );
  const report = `<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM "coverage-04.dtd">
<coverage line-rate="1"><packages><package><classes><class name="a" filename="a.py"><methods>
<method name="run" signature="()"><lines><line number="1" hits="1"/></lines></method>
<method name="stop" signature="()"><lines><line number="8" hits="0"/></lines></method></methods>
<lines>${lines}<line number="9" hits="1" branch="true" condition-coverage="50% (1/2)"/></lines></class></classes></package></packages></coverage>`;
  expect(await read("cobertura", report)).toEqual({
    facts: { lines_percent: 99.99, branches_percent: 50, functions_percent: 50 },
  });
});

// Attack (file tools): Write a report that is endless, nested without end, full of entities, or no report
// -> Refused: bounded in size and depth, and read strictly
test("what is no text, or longer than a report can be, is not read", async () => {
  expect(await read("junit", Buffer.from([0x3c, 0xff, 0xfe]))).toEqual({ problem: "it is not UTF-8 text" });
  expect(await read("tap", Buffer.alloc((32 << 20) + 1, "a"))).toEqual({ problem: "it is longer than 32 MB" });
});
