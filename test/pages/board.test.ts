import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { stumblings } from "../axe.ts";
import { startBoard } from "../board.ts";
import { visit } from "../browser.ts";
import { enrolOn, provenProject } from "../page.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const run = "#/runs/bot%3Astory_bot";

/** Nothing scrolls sideways, on a desk, a small screen and a phone. */
async function staysInside(page: Page): Promise<void> {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth"), `${width}`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** What juts out of the box with the answer. */
const outsideTheAnswer = `(() => {
  const box = document.querySelector(".decision");
  const right = box.getBoundingClientRect().right + 1;
  return [...box.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > right).map((one) => one.textContent);
})()`;

/** A step on the map, by what is read aloud of it. */
const step = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test("a run moves while the page is open: in every tab by one stream, after a reload, and after the server was gone", async () => {
  const project = makeProject();
  const window = await openWindow(project.root, { name: "claude-code" });
  const board = await startBoard(project.root);
  const at = `http://localhost:${board.port}/`;
  await visit(async ({ page, context }) => {
    const streams: Request[] = [];
    context.on("request", (request) => void (request.url().includes("/api/live") && streams.push(request)));
    await page.goto(board.url);
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    expect(page.url()).toBe(at);
    await page.getByText("live", { exact: true }).waitFor();

    // It begins in another window: here it appears by itself.
    await window.call("shape_bot");
    await page.getByRole("link", { name: /story_bot/ }).click();
    await step(page, "shape, gather context: open").waitFor();
    await window.call("complete_action", { confirmation: "yes" });
    await step(page, "shape, gather context: done").waitFor();
    await step(page, "shape, decide planning criteria: next").waitFor();
    await page
      .getByRole("list", { name: "Records, newest first" })
      .getByText(/completed/)
      .first()
      .waitFor();

    // Six more tabs, opened without a token: they are given it by the first, and hear what it hears.
    const tabs: Page[] = [];
    for (let count = 0; count < 6; count++) {
      const tab = await context.newPage();
      await tab.goto(`${at}${run}`);
      tabs.push(tab);
    }
    await window.call("shape_bot");
    for (const tab of [page, ...tabs]) await step(tab, "shape, decide planning criteria: open").waitFor();
    expect(streams).toHaveLength(1);

    // The tab with the stream is closed, and another takes it up.
    const [second, third] = tabs;
    if (second === undefined || third === undefined) throw new Error("There are no tabs.");
    await page.close();
    await expect.poll(() => streams.length).toBe(2);
    await window.call("complete_action", { confirmation: "yes" });
    for (const tab of tabs) await step(tab, "shape, decide planning criteria: done").waitFor();
    await Promise.all(tabs.slice(2).map((tab) => tab.close()));

    await third.reload();
    await step(third, "shape, decide planning criteria: done").waitFor();

    // Nobody answers: it says so, and goes on by itself with what it missed.
    await board.close();
    await second.getByText(/^Out of date since/).waitFor();
    await window.call("shape_bot");
    await window.call("complete_action", {});
    const again = await startBoard(project.root, { port: String(board.port) });
    expect(again.token).toBe(board.token);
    for (const tab of [second, third]) {
      await step(tab, "shape, build knowledge: done").waitFor();
      await tab.getByText(/^Out of date since/).waitFor({ state: "detached" });
    }
  });
});

test("a person answers on the page, beside the evidence: a no with its reason reaches the assistant, a yes lets the step go on", async () => {
  const project = provenProject();
  const window = await openWindow(project.root);
  const submission = { outputs: { users: "clerks" }, content: [{ path: "notes.md", text: "# Notes\n\nTea first.\n" }] };
  await window.call("shape_bot");
  expect(await window.call("complete_action", submission)).toMatchObject({ status: "awaiting_human" });
  const other = await openWindow(project.root);
  await other.call("shape_bot", { run: "another-that-waits" });
  await other.call("complete_action", { ...submission, run: "another-that-waits" });
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    await enrolOn(page, project, "dana");
    const board = await startBoard(project.root);
    await page.goto(board.url);
    // No card takes an answer: it leads to what the answer is about.
    const card = page.locator(".waiting-card").first();
    await card.waitFor();
    expect(await page.getByRole("button", { name: /approve/i }).count()).toBe(0);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("Your approval covers everything shown here.").waitFor();
    await page.getByText("Tea first.").waitFor();
    await staysInside(page);

    await page.keyboard.press("r");
    await page.getByText("Add a reason:").waitFor();
    await page.keyboard.type("No word on cake.");
    await page.getByRole("button", { name: "Lines" }).click();
    await page.getByRole("button", { name: "Add a note to line 3" }).click();
    await page.keyboard.type("Which tea?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Reject with passkey" }).click();
    await page.getByRole("heading", { name: "Rejected", exact: true }).waitFor();
    await page.getByRole("link", { name: "Next: another-that-waits" }).waitFor();
    await staysInside(page);
    expect(await page.evaluate(outsideTheAnswer)).toEqual([]);
    // Only what is still true stays: nothing waits for an approval, and the note has gone.
    expect(await page.getByText(/Your approval covers|Needs approval from/).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(0);
    const told = JSON.stringify(await window.call("complete_action", submission));
    expect(told).toContain("No word on cake.; notes.md:3: Which tea?");

    // What is handed in otherwise comes to the page that is still open.
    const better = { ...submission, content: [{ path: "notes.md", text: "# Notes\n\nTea first, then cake.\n" }] };
    expect(await window.call("complete_action", better)).toMatchObject({ status: "awaiting_human" });
    await page.getByText("Tea first, then cake.").waitFor();
    await page.getByRole("button", { name: "Approve with passkey" }).waitFor();
    expect(await page.getByText("Which tea?").count()).toBe(0);
    // It does not change under the reader's eyes.
    const best = { ...submission, content: [{ path: "notes.md", text: "# Notes\n\nTea, then cake.\n" }] };
    expect(await window.call("complete_action", best)).toMatchObject({ status: "awaiting_human" });
    await page.getByRole("heading", { name: "A newer version was submitted" }).waitFor();
    await page.getByText("Tea first, then cake.").waitFor();
    await page.getByRole("button", { name: "Show the new version" }).click();
    await page.getByText("Tea, then cake.").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    // What was judged stays, with who answered, how, when, and which record it is.
    await page.getByText(/^dana with a passkey, .*: record \d+/).waitFor();
    await page.getByText("Tea, then cake.").waitFor();
    await staysInside(page);
    expect(await stumblings(page)).toEqual([]);
    expect(await window.call("complete_action", best)).toMatchObject({ status: "completed" });
    await page.goto(`${board.url}/runs/bot%3Astory_bot/shape/gather_context`);
    await page.getByText("Approved by dana, proven with a key").waitFor();
    await page.getByRole("tab", { name: "Submission 1" }).click();
    await page.getByText("No word on cake.; notes.md:3: Which tea?", { exact: true }).waitFor();
    const last = (await page.getByRole("tab").count()) - 1;
    await page.getByRole("tab").nth(last).click();
    await page.getByLabel(`Compare with submission ${last}`).check();
    await page.getByText("file notes.md").waitFor();
  });
});

test("a history that was tampered with shows as broken, with where; and what is on record can be had as a file", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("shape_bot", { outputs: { users: "clerks" } });
  await window.pass("shape_bot");
  const board = await startBoard(project.root);
  await visit(async ({ page }) => {
    await page.goto(`${board.url}/audit`);
    await page.getByRole("heading", { name: "The only history is intact" }).waitFor();
    await page.getByRole("link", { name: "History intact" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("waymark-export.json");

    const journal = ".waymark/journal/story_bot.jsonl";
    project.write(journal, project.read(journal).replace("clerks", "pirate"));
    await page.getByRole("button", { name: "Verify again" }).click();
    await page.getByRole("heading", { name: "The only history is broken" }).waitFor();
    await page.getByRole("link", { name: "History broken" }).waitFor();
    await page.getByRole("link", { name: /story_bot.*broken at 2/ }).click();
    await page.getByRole("link", { name: "record 2" }).click();
    await page.getByRole("heading", { name: "Record 2" }).waitFor();
  });
});

test("a browser without a token is told how to get one, and one that is given it comes in", async () => {
  const project = makeProject();
  const board = await startBoard(project.root);
  await visit(async ({ page }) => {
    await page.goto(`http://localhost:${board.port}/#/audit`);
    await page.getByRole("heading", { name: "This page needs a token" }).waitFor();
    await page.getByLabel("Your token").fill("not it");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "This page needs a token" }).waitFor();
    await page.getByLabel("Your token").fill(board.token);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "No history yet" }).waitFor();
    // The address of the command, pasted into the same tab, lets in as well.
    await page.evaluate("sessionStorage.clear()");
    await page.reload();
    await page.getByRole("heading", { name: "This page needs a token" }).waitFor();
    await page.goto(`${board.url}/audit`);
    await page.getByRole("heading", { name: "No history yet" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    for (const [keys, heading] of [
      ["gi", "Nothing is waiting for you"],
      ["gp", "Process"],
      ["gr", "No runs yet"],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.getByRole("heading", { name: heading }).waitFor();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("go to the Inbox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.goto(`http://localhost:${board.port}/#/nowhere/at/all`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});
