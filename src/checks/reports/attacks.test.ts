import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("JUnit as runners write it", () => {
  test("Node's own: suites of suites, and a total that does not fit", async () => {
    const report = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testsuite name="outer" time="0.004" disabled="0" errors="0" tests="4" failures="1" skipped="0" hostname="h">
		<testcase name="a" time="0.001" classname="test"/>
		<testsuite name="inner" tests="1"><testcase name="b" time="0.001" classname="test" failure="no">
			<failure type="testCodeFailure" message="no">[Error]</failure></testcase></testsuite>
		<testcase name="c" time="0" classname="test"><skipped type="todo" message="later"/></testcase>
	</testsuite>
	<!-- tests 5 --><!-- pass 4 -->
</testsuites>`;
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 3, passed: 1, failed: 1, skipped: 1 } });
  });

  test("pytest: an error while a test is set up, and an expected failure", async () => {
    const report = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="0" skipped="1" tests="3" time="0.1">
<testcase classname="t" name="test_a" time="0.01" /><testcase classname="t" name="test_b" time="0.01"><error message="failed on setup">E</error></testcase>
<testcase classname="t" name="test_c" time="0.01"><skipped type="pytest.xfail" message="known" /></testcase></testsuite></testsuites>`;
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 3, passed: 1, failed: 1, skipped: 1 } });
  });

  test("surefire: one suite as the root, properties, and runs that were tried again", async () => {
    const report = `<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="a" tests="1" errors="0">
<properties><property name="failure" value="x"/></properties><testcase name="a" classname="A" time="0.1"><flakyFailure type="x">once</flakyFailure><system-err><![CDATA[<failure/>]]></system-err></testcase>
<testcase name="b" classname="A" time="0.1"><rerunFailure/><failure type="x">again</failure></testcase></testsuite>`;
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 2, passed: 1, failed: 1 } });
  });

  test("jest-junit and vitest: a suite that could not be run is a test with an error", async () => {
    const report = `<testsuites name="jest tests" tests="0" failures="0"><testsuite name="x" errors="1" tests="1">
<testcase classname="x" name="x Test execution failure" time="0"><error>boom</error></testcase></testsuite></testsuites>`;
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 1, failed: 1 } });
  });
});

// Attack (file tools): Write a report that contradicts itself: totals, a failed suite, `success: false`
describe("JUnit that was made to mislead", () => {
  const bomb = `<!DOCTYPE z [<!ENTITY a "ha">${["b", "c", "d"].map((name, at) => `<!ENTITY ${name} "${`&${"abc"[at]};`.repeat(10)}">`).join("")}]>`;

  test.each([
    ["entities that multiply", `${bomb}<testsuites><testcase name="&d;"/></testsuites>`],
    ["an entity of nobody's", '<testsuites><testcase name="&lol;"/></testsuites>'],
    ["two roots", "<testsuites><testcase/></testsuites><testsuites><testcase/></testsuites>"],
    ["text after its end", "<testsuites><testcase/></testsuites>more"],
    ["an end that does not fit", "<testsuites><testcase></testsuites></testcase>"],
    ["an attribute without quotes", "<testsuites><testcase name=a/></testsuites>"],
  ])("%s", async (_what, text) => {
    expect(await read("junit", text)).toHaveProperty("problem");
  });

  test("comments, CDATA and processing instructions hold no tests", async () => {
    const report = `<testsuites><!-- <testcase/> --><![CDATA[<testcase/>]]><?x <testcase/> ?><testcase time="0"/></testsuites>`;
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 1 } });
  });

  test("a failure anywhere in a test is its failure, whatever else stands there", async () => {
    const report =
      '<testsuites><testcase><failure/><skipped/></testcase><testcase status="notrun"><failure/></testcase></testsuites>';
    expect(await read("junit", report)).toMatchObject({ facts: { tests: 2, failed: 2, skipped: 0 } });
  });

  // Attack (file tools): Write a report that is endless, nested without end, full of entities, or no report
  test("an attribute of a megabyte is read, one of nine is refused, and neither takes the process along", async () => {
    const long = (bytes: number): string => `<testsuites><testcase name="${"a".repeat(bytes)}" time="0"/></testsuites>`;
    expect(await read("junit", long(1 << 20))).toMatchObject({ facts: { tests: 1 } });
    expect(await read("junit", long(9 << 20))).toHaveProperty("problem");
  });

  test("times that are no times leave the duration out", async () => {
    const report = '<testsuites><testcase time="-5"/><testcase time="1e999"/><testcase time="x"/></testsuites>';
    expect(await read("junit", report)).toEqual({ facts: { tests: 3, passed: 3, failed: 0, skipped: 0 } });
  });
});

describe("TAP that was made to mislead", () => {
  test.each([
    ["only a plan", "TAP version 13\n1..0\n"],
    ["a plan of nothing, with a reason", "1..0 # SKIP no tests here\n"],
    ["a bail-out inside a subtest", "# Subtest: a\n    ok 1\n    Bail out! gone\nok 1 - a\n1..1\n"],
    ["no plan at all", "ok 1\nok 2\n"],
    ["a point twice", "ok 1\nok 1\n1..2\n"],
    ["just words", "everything passed\n"],
  ])("%s does not count", async (_what, text) => {
    expect(await read("tap", text)).toHaveProperty("problem");
  });

  test("what stands in a diagnostic or further in than a subtest is no test", async () => {
    const report = "TAP version 14\n1..1\nok 1 - a\n  ---\n  note: |\n    ok 2 - b\n    ok 3 - c\n  ...\n# ok 4\n";
    expect(await read("tap", report)).toMatchObject({ facts: { tests: 1, passed: 1 } });
  });

  test("a subtest that fails inside one that claims to pass is a failed test", async () => {
    const report = "TAP version 14\n# Subtest: a\n    not ok 1 - x\n    1..1\nok 1 - a\n1..1\n";
    expect(await read("tap", report)).toMatchObject({ facts: { tests: 1, failed: 1 } });
  });
});

describe("coverage that was made to mislead", () => {
  test("lcov: negative counts, lines outside of a file, and a count that is no number are refused", async () => {
    for (const text of ["SF:a\nDA:1,-1\n", "DA:1,1\n", "SF:a\nDA:1,1e9\n", "SF:a\nend_of_record\nDA:1,1\n"])
      expect(await read("lcov", text)).toHaveProperty("problem");
  });

  test("Cobertura: rates are not believed, and a line that says more branches taken than there are has no more than all", async () => {
    const report = `<coverage line-rate="1" branch-rate="1"><class filename="a"><lines><line number="1" hits="0"/>
<line number="2" hits="1" condition-coverage="900% (9/2)"/></lines></class></coverage>`;
    expect(await read("cobertura", report)).toEqual({ facts: { lines_percent: 50, branches_percent: 100 } });
  });

  test("Cobertura: entities of its own are refused, and so is a line without a number", async () => {
    expect(await read("cobertura", '<!DOCTYPE a [<!ENTITY b "c">]><coverage/>')).toHaveProperty("problem");
    const odd = '<coverage><class filename="a"><line hits="1"/></class></coverage>';
    expect(await read("cobertura", odd)).toHaveProperty("problem");
  });
});

test("vitest and jest: a suite that failed with passed tests only counts as failed", async () => {
  const report = {
    success: true,
    testResults: [{ status: "failed", message: "boom", assertionResults: [{ status: "passed", duration: 1 }] }],
  };
  expect(await read("vitest", JSON.stringify(report))).toMatchObject({ facts: { tests: 2, passed: 1, failed: 1 } });
  const empty = { numTotalTests: 40, success: true, testResults: [] };
  expect(await read("vitest", JSON.stringify(empty))).toEqual({ problem: "it contains no tests" });
});
