import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { genesisHash, toLine } from "../../src/stores/chain/journal-record.ts";
import { lookedAt, stumblings } from "../axe.ts";
import { startBoard } from "../board.ts";
import { visit } from "../browser.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { provingGate, provingProject, trustAll } from "../proving.ts";
import { wholeOr } from "../whole.ts";
import { openWindow, type Window } from "../window.ts";

/** What an assistant may write anywhere: markup, a script, colours of a terminal, marks of direction, and no end of it. */
const hostile = (most = 200_000): string =>
  `<img src=x onerror="window.ran=1"><script>window.ran=1</script>\u001b[31m\u202eevil\u2066\u0000</p>javascript:window.ran=1 ${"x".repeat(most)}`;

/** Every view of the board, and what stands on it once it is drawn. */
const views = [
  ["runs", "#/runs", "All runs"],
  ["stuck", "#/runs?stands=stuck", "Stuck"],
  ["run", "#/runs/bot%3Astory_bot/shape/gather_context", "Timeline"],
  ["record", "#/runs/bot%3Astory_bot/record/2", "Record 2"],
  ["inbox", "#/inbox", "Your answer"],
  ["audit", "#/audit/bot%3Astory_bot", "History"],
  ["process", "#/process/story_bot.shape/gather_context", "Most missed"],
] as const;

/** A bot that waits for a person, a session that is stuck, one that is done; every text that an assistant can write is hostile. */
async function hostileWalks(): Promise<Project> {
  const project = provingProject({ passed: 12 }, `approval: required\n${provingGate}    reads: [run-tests.cjs]\n`);
  addWorkflow(project, { phases: 2 });
  await trustAll(project);
  const window = await openWindow(project.root, { name: hostile(2000) });
  const evil = hostile();
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: { [hostile(60)]: evil, tests_passed: evil }, confirmation: evil });
  await window.call("complete_action", { outputs: { [hostile(60)]: evil } });
  const answer = await window.call("complete_action", {
    outputs: { users: evil, list: [evil, "<b>"], deep: { [evil.slice(0, 5000)]: evil } },
    evidence: { summary: evil, tests_passed: 12, more: [evil] },
    content: [{ path: "docs/plan.md", text: `${hostile(1_000_000)}\n# Plan\n` }],
  });
  expect(answer, answer.text.slice(0, 1000)).toMatchObject({ status: "awaiting_human" });
  await walk(window, `src/<img src=x onerror=window.ran=1>${"x".repeat(700)}.ts`, async (session_id) => {
    for (let times = 0; times < 2; times++)
      await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: { count: evil } });
  });
  await walk(window, "src/tea.ts", async (session_id) => {
    for (const phase of [1, 2])
      await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) });
  });
  return project;
}

async function walk(window: Window, target_file: string, go: (session_id: string) => Promise<void>): Promise<void> {
  const { session_id, text } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file });
  if (session_id === undefined) throw new Error(text.slice(0, 500));
  await go(session_id);
}

test("every view can be read and used by everybody, in both colours, on a phone; hostile text never runs and never stretches it", async () => {
  const project = await hostileWalks();
  const board = await startBoard(project.root);
  await visit(async ({ page }) => {
    const faults: string[] = [];
    page.on("pageerror", (fault) => void faults.push(fault.message));
    page.on("console", (said) => void (said.type() === "error" && faults.push(said.text())));
    page.on("dialog", (dialog) => void faults.push(dialog.message()));
    await page.goto(board.url);
    await page
      .getByRole("link", { name: /story_bot/ })
      .first()
      .waitFor();
    for (const { colorScheme, width } of lookedAt.slice(0, wholeOr(4, 2))) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const [name, hash, sign] of views) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        if (name === "inbox" && width < 800) await page.locator(".inbox-item").first().click();
        await page.getByRole("heading", { name: sign }).first().waitFor();
        await picture(page, `${name}-${colorScheme}-${width}`);
        const where = `${name} ${colorScheme} ${width}`;
        expect(await page.evaluate("document.documentElement.scrollWidth"), where).toBeLessThanOrEqual(width);
        expect(await stumblings(page), where).toEqual([]);
      }
    }
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

test("of many runs and a long history only what is seen is drawn, and the keyboard reaches all of it", async () => {
  const project = makeProject();
  addWorkflow(project, { phases: 2 });
  const window = await openWindow(project.root);
  await window.pass("shape_bot");
  const runs = 104;
  for (let count = 0; count < runs; count++) await walk(window, `src/file-${count}.ts`, async () => undefined);
  const records = lengthen(project, ".waymark/journal/story_bot.jsonl", 3000);
  const board = await startBoard(project.root);
  await visit(async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(board.url);
    const rows = page.locator(".row");
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await page.keyboard.press("j");
    const first = await focused(page);
    await page
      .getByRole("complementary", { name: "Preview" })
      .getByText(/of \d+ steps done/)
      .waitFor();
    for (let count = 0; count < 50; count++) await page.keyboard.press("j");
    expect(await focused(page)).not.toBe(first);
    expect(await page.evaluate("scrollY")).toBeGreaterThan(500);
    expect(await rows.count()).toBeLessThan(70);
    // What does not fit on one page is on the next, which has its own address.
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    expect(page.url()).toContain("page=2");
    await expect.poll(() => rows.count()).toBe(5);
    await page.keyboard.press("/");
    await page.keyboard.type("file-33");
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "src/file-33.ts" }).waitFor();

    await page.goto(`${board.url}/runs/bot%3Astory_bot`);
    const shown = page.locator(".record-row");
    await shown.first().waitFor();
    await page.getByText(`${records}`, { exact: true }).waitFor();
    expect(await shown.count()).toBeLessThan(80);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByText("3", { exact: true }).first().waitFor();
    expect(await shown.count()).toBeLessThan(80);
    await page.goto(`${board.url}/runs/bot%3Astory_bot/record/1500`);
    await page.getByRole("heading", { name: "Record 1500" }).waitFor();
    await page.locator('.record-row[aria-current="true"]').waitFor();
  });
});

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement.textContent");
}

/** Makes a history so long by telling of its last record again, every hash right; how many there are. */
function lengthen(project: Project, file: string, records: number): number {
  const lines = project.read(file).trimEnd().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "");
  let { prev, seq } = { prev: genesisHash, seq: 0 };
  const all = Array.from({ length: records }, (_, at) => {
    const own = at < lines.length ? JSON.parse(lines[at] ?? "") : { ...last, op: `op-${at}`, events: noted(last, at) };
    const line = toLine({ ...own, seq: ++seq, prev });
    prev = line.hash;
    return `${line.text}\n`;
  });
  project.write(file, all.join(""));
  return records;
}

function noted({ events }: { events: readonly { at: string; by: string }[] }, at: number): readonly object[] {
  const [{ at: time, by } = { at: "", by: "" }] = events;
  const steps = { workflow: "shape", pass: 1, step: "build_knowledge", attempt: at };
  return [{ type: "refused", at: new Date(Date.parse(time) + at * 1000).toISOString(), by, ...steps, code: "noted" }];
}

/** Keeps a picture for whoever wants to look. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.WAYMARK_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
