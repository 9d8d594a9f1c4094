import { describe, expect, test } from "vitest";
import { isDone, openChecked, testsGate } from "../checked.ts";
import { runCli } from "../command-line.ts";
import { kinds, someWays } from "../hands.ts";

const gate = testsGate('reads: ["*.cjs", "*.json"]');
const lie = { summary: "done", tests_passed: 12 };

describe("what was claimed stands beside what was found", () => {
  test.each(someWays)("in the reply and in show, turned down and done (%s, %s)", async (kind, era) => {
    const { handIn: submission, says, run } = await openChecked(kind, [gate], { era });
    const lied = await submission(lie);
    expect(lied.missing_evidence).toEqual(["tests_passed (claimed 12, found 3)"]);
    expect(lied.text).toContain("tests_passed (claimed 12, found 3)");
    const [shown] = JSON.parse(await says("show", run, "--json"));
    expect(shown).toMatchObject({
      waiting_for: null,
      turned_down: { code: "incomplete_checkpoint", missing: ["tests_passed (claimed 12, found 3)"] },
      claims: [{ field: "tests_passed", check: "tests", claimed: 12, found: 3 }],
      checks: [
        { name: "tests", status: "passed", summary: "3 of 3 tests passed", exit: 0, facts: { tests: 3, passed: 3 } },
      ],
    });
    expect(shown.checks[0].contained).toMatch(/^(namespace|marker|group)$/);
    const text = await says("show", run);
    expect(text).toContain("refused: incomplete_checkpoint");
    expect(text).toContain("tests_passed: claimed 12, found 3 by tests");
    expect(text).toMatch(/✓ tests passed: 3 of 3 tests passed \(exit 0, [\d.]+ s, contained: \w+\)/);
    expect(isDone(await submission({ summary: "done" }))).toBe(true);
    const [done] = JSON.parse(await says("show", run, "--json"));
    expect(done).toMatchObject({
      evidence: { summary: "done", tests_passed: 3 },
      claims: [
        { field: "tests_passed", claimed: 12, found: 3, hand_in: 1 },
        { field: "tests_passed", found: 3, hand_in: 2 },
      ],
    });
    expect(done.claims[1].claimed).toBeUndefined();
    expect(done.turned_down).toBeUndefined();
    const after = await says("show", run);
    expect(after).toContain("  submission 1: tests_passed: claimed 12, found 3 by tests");
    expect(after).toContain("  tests_passed: found 3 by tests");
  });

  test.each(kinds)("in the log and in both files that export writes (%s)", async (kind) => {
    const { handIn: submission, says, project } = await openChecked(kind, [gate]);
    await submission(lie);
    await submission({ summary: "done" });
    const rows: Record<string, unknown>[] = JSON.parse(await says("log", "--json"));
    const claims = [{ field: "tests_passed", check: "tests", claimed: 12, found: 3 }];
    expect(rows.find(({ event }) => event === "checked")).toMatchObject({
      check: "tests",
      status: "passed",
      summary: "3 of 3 tests passed",
      exit: 0,
      seconds: expect.any(Number),
      contained: expect.any(String),
      facts: { passed: 3 },
      claims,
    });
    expect(rows.find(({ event }) => event === "refused")).toMatchObject({
      gaps: ["tests_passed (claimed 12, found 3)"],
      claims,
    });
    const log = await says("log");
    expect(log).toMatch(/checked .+ tests passed: 3 of 3 tests passed \(exit 0, .+ tests_passed: claimed 12, found 3/);
    expect(log).toMatch(/refused .+ incomplete_checkpoint {2}tests_passed \(claimed 12, found 3\)/);
    await says("export", "--out", project.path("audit"));
    const table = project.read("audit/audit.md");
    expect(table).toMatch(/\| checked \| .+tests passed: 3 of 3 tests passed .+; tests_passed: claimed 12, found 3 by/);
    expect(table).toMatch(/\| completed \| .+claimed evidence \{"summary":"done"\}; tests_passed: found 3 by tests/);
    const audit = JSON.parse(project.read("audit/audit.json"));
    const events: { type: string; claims?: unknown }[] = audit.desks[0].events;
    expect(events.find(({ type }) => type === "checked")).toMatchObject({
      result: { found: { tests_passed: 3 } },
      claims,
    });
  });

  test.each(kinds)("a true claim stands beside the hand-in that it came with (%s)", async (kind) => {
    const { handIn: submission, says, run } = await openChecked(kind, [gate]);
    await submission(lie);
    expect(isDone(await submission({ summary: "done", tests_passed: 3 }))).toBe(true);
    const [shown] = JSON.parse(await says("show", run, "--json"));
    expect(shown.claims).toMatchObject([
      { claimed: 12, found: 3, hand_in: 1 },
      { claimed: 3, found: 3, hand_in: 2 },
    ]);
    expect(shown.hand_ins[1].evidence).toEqual({ summary: "done", tests_passed: 3 });
  });

  test("a check that failed is shown with what it wrote, until it is mended", async () => {
    const {
      handIn: submission,
      says,
      run,
      project,
    } = await openChecked("action", [gate], {
      prepare: ({ write }) => write("plan.json", { passed: 2, failed: 1 }),
    });
    await submission({ summary: "done", tests_passed: 3 });
    const text = await says("show", run);
    expect(text).toContain("refused: check_failed");
    expect(text).toContain("tests_passed: claimed 3, found 2 by tests");
    expect(text).toContain("✗ tests failed: exited with 1, not 0; failed: f0 (exit 1");
    expect(text).toContain("1 of 3 failed");
    expect(await says("log")).toMatch(/tests failed: exited with 1, not 0; failed: f0 \(exit 1/);
    expect(await says("status")).toContain("refused once, last for tests_passed, tests");
    project.write("plan.json", { passed: 3 });
    expect(isDone(await submission({ summary: "done" }))).toBe(true);
    const [mended] = JSON.parse(await says("show", run, "--json"));
    expect(mended.claims).toMatchObject([{ claimed: 3, found: 2 }, { found: 3 }]);
    expect(mended.checks).toMatchObject([{ name: "tests", status: "passed" }]);
  });
});

test.each(kinds)("verify --require says what a check proved, and claims only the rest (%s)", async (kind) => {
  const { handIn: submission, project } = await openChecked(kind, [gate]);
  await submission({ summary: "done" });
  const name = kind === "action" ? "story_bot.shape" : "proof";
  const { stdout } = await runCli(["verify", "--require", name, "--json", "--root", project.root]);
  const [step] = JSON.parse(stdout).required.walks[0].steps;
  expect(step.proved).toContain("tests, run then: 3 of 3 tests passed (it gave tests_passed 3)");
  expect(step.claimed[0]).toBe("evidence: summary");
});
