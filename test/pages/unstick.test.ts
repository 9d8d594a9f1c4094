import { expect, test } from "vitest";
import { stumblings } from "../axe.ts";
import { startBoard } from "../board.ts";
import { visit } from "../browser.ts";
import { callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile, provingGate, runner, trustAll } from "../proving.ts";
import { openWindow } from "../window.ts";

const names = [
  "Survey",
  "Logging and I/O",
  "Dependencies",
  "Usage",
  "Coverage plan",
  "Generating the tests",
  "Quality",
];

/** A bot whose check fails and says why, and a session of eight phases, the last of which waits for a person. */
async function stuckWork(): Promise<Project> {
  const project = makeProject();
  const said = 'console.log("price.ts:12: expected 3 to be 4");\n';
  project.write("run-tests.cjs", runner.replace("process.exit", `${said}process.exit`));
  project.write("plan.json", { passed: 2, failed: 1 });
  project.write(gateFile, provingGate);
  const phases = [...names, "Sign-off"].map((name, at) => `## Phase ${at + 1}: ${name}\n\nDo it.\n`);
  project.write(".waymark/workflows/release.md", `# Release\n\n${phases.join("\n")}\nHuman approval: required\n`);
  await trustAll(project);
  const window = await openWindow(project.root, { name: "claude-code" });
  const start = { workflow_type: "release", target_file: "CHANGELOG.md" };
  const { session_id } = await callPhase(window, "start_workflow", start);
  for (const phase of names.keys()) {
    const passed = await callPhase(window, "complete_phase", {
      session_id,
      phase: phase + 1,
      evidence: { summary: "done" },
    });
    expect(passed, passed.text).toMatchObject({ checkpoint_passed: true });
  }
  await callPhase(window, "complete_phase", {
    session_id,
    phase: 8,
    evidence: { summary: "done" },
    outputs: { plan: "Ship it." },
  });
  await window.call("shape_bot");
  for (let times = 0; times < 2; times++)
    expect(await window.call("complete_action", { evidence: { summary: "done" } })).toMatchObject({
      error: "check_failed",
    });
  return project;
}

/** The words of the map that do not fit on one line. */
const brokenWords = `[...document.querySelectorAll(".line-map .name")].flatMap((name) => {
  const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const { index, 0: word } of node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  return broken;
})`;

test("what is stuck says which test failed, what it wrote and what a person can do; no name is broken; the answer is always in reach", async () => {
  const project = await stuckWork();
  const board = await startBoard(project.root);
  await visit(async ({ page }) => {
    await page.goto(`${board.url}/runs/bot%3Astory_bot`);
    await page.getByText("exited with 1, not 0; failed: f0").first().waitFor();
    await page.getByText("price.ts:12: expected 3 to be 4").first().waitFor();
    const help = page.locator(".help-box[open]");
    await help.getByText("What you can do").waitFor();
    await help.getByText('waymark waive story_bot.shape FIELD --reason "WHY"').waitFor();
    expect(await help.getByRole("button", { name: /^Copy/ }).count()).toBeGreaterThanOrEqual(4);
    expect(await stumblings(page)).toEqual([]);

    // A session is named by its target, as commands take it.
    await page.goto(`${board.url}/runs?q=CHANGELOG`);
    await page
      .getByRole("link", { name: /CHANGELOG/ })
      .last()
      .click();
    await page.getByRole("heading", { name: "CHANGELOG.md" }).waitFor();
    await page.getByText("What you can do").click();
    await page.getByText("waymark back --session CHANGELOG.md PHASE").waitFor();
    for (const width of [1440, 1024, 961, 800, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(brokenWords), `${width}`).toEqual([]);
    }

    const bar = page.getByRole("button", { name: "Go to your answer" });
    await page.setViewportSize({ width: 950, height: 500 });
    await page.getByRole("link", { name: "Review", exact: true }).click();
    await bar.waitFor();
    await page.evaluate("scrollTo(0, 0)");
    const place = await bar.boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(500);
    expect(place?.y).toBeGreaterThan(400);
    await bar.click();
    await expect
      .poll(() => page.locator(".decision").evaluate((form) => form.getBoundingClientRect().top))
      .toBeLessThan(500);
    await page.setViewportSize({ width: 1440, height: 900 });
    await bar.waitFor({ state: "hidden" });
  });
});
