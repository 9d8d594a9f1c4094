import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase } from "../phased.ts";
import { openWindow } from "../window.ts";
import { projectFrom } from "./walk.ts";

const long = "A comma in a price is read as the end of the number, so 1,5 becomes 1.";

test("the bug fix is walked to its end, with a review that sends the change back", async () => {
  const root = projectFrom("bug-fix");
  const window = await openWindow(root);
  const inputs = { report: "Prices with a comma are wrong" };
  const started = await callPhase(window, "start_workflow", { workflow_type: "bug-fix", inputs });
  expect(started.phase_content?.content).toContain("The report: Prices with a comma are wrong");
  const { session_id } = started;
  const complete = (phase: number, evidence: object) =>
    callPhase(window, "complete_phase", { session_id, phase, evidence });
  await complete(1, { verdict: "bug", steps: long, output: "1 instead of 1.5" });
  await complete(2, { cause: long, place: "src/prices.ts:31", elsewhere: [] });
  expect(await complete(3, { test_file: "test/gone.test.ts", failure: long })).toMatchObject({
    missing_evidence: [expect.stringContaining("test_file")],
  });
  writeFileSync(join(root, "prices.test.ts"), "test");
  await complete(3, { test_file: "prices.test.ts", failure: long });
  const change = { changed_files: ["src/prices.ts"], test_output: long, suite_failures: 0 };
  await complete(4, change);
  const back = await complete(5, { findings: ["the test passes without the fix"], test_fails_without_fix: true });
  expect(back).toMatchObject({ next_phase: 4, round: 2, came_back_from: { phase: 5 } });
  await complete(4, change);
  const done = await complete(5, { findings: [], test_fails_without_fix: true });
  expect(done).toMatchObject({ workflow_complete: true, outcome: "done", warnings: [] });
  expect((await runCli(["verify", "--require", "bug-fix", "--root", root])).code).toBe(0);
});

test("a report of what is no bug ends honestly", async () => {
  const window = await openWindow(projectFrom("bug-fix"));
  const inputs = { report: "The total is rounded", review: "no" };
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "bug-fix", inputs });
  const evidence = { verdict: "no-bug", steps: long, output: "rounded as promised" };
  expect(await callPhase(window, "complete_phase", { session_id, phase: 1, evidence })).toMatchObject({
    workflow_complete: true,
    outcome: "no-bug",
  });
});
