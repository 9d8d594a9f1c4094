import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { unloggedText, unsavedText } from "../../messages/fixed-texts.ts";
import { completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { openWindow } from "./window.testing.ts";

/** A window on a history whose log is long, with both files in place. */
async function openLong() {
  const area = mkdtempSync(join(tmpdir(), "waymark-publication-"));
  const state = join(area, "workflow_state.json");
  const log = join(area, "activity_log.json");
  const history = openWindow(area);
  onTestFinished(() => {
    history.close();
    rmSync(area, { recursive: true });
  });
  const before: Event = {
    type: "log_adopted",
    at: startedExample(1).at,
    by: "window",
    log: [{ note: "x".repeat(2_000_000) }],
  };
  await history.append(0, [before, startedExample(1)]);
  const shown = () => ({
    position: JSON.parse(readFileSync(state, "utf8")).action_state,
    entries: JSON.parse(readFileSync(log, "utf8")).length,
  });
  expect(shown()).toEqual({ position: "started", entries: 2 });
  return { state, log, history, shown };
}

it("the files of a long history follow the answer by themselves", async () => {
  const { history, shown } = await openLong();
  expect(await history.append(1, [completedExample(1)])).toEqual({ status: "recorded", warnings: [] });
  expect(shown()).toEqual({ position: "started", entries: 2 });
  await vi.waitFor(() => expect(shown()).toEqual({ position: "completed", entries: 3 }), 60_000);
  await history.append(2, [startedExample(2)]);
  await vi.waitFor(() => expect(shown()).toEqual({ position: "started", entries: 4 }), 60_000);
});

it("whoever looks before they have followed finds them as they are to be, and so does whoever comes after the window is closed", async () => {
  const { history, shown } = await openLong();
  await history.append(1, [completedExample(1)]);
  expect(await history.look()).toMatchObject({ found: { kind: "current" }, warnings: [] });
  expect(shown()).toMatchObject({ position: "completed" });
  await history.append(2, [startedExample(2)]);
  history.close();
  expect(shown()).toEqual({ position: "started", entries: 4 });
});

it("an edit made between the answer and the file that follows it is found", async () => {
  const { state, history } = await openLong();
  await history.append(1, [completedExample(1)]);
  writeFileSync(state, JSON.stringify({ current_behavior: "story_bot.shape", completed_actions: [] }));
  expect(await history.look()).toMatchObject({ found: { kind: "foreign" } });
});

it("a file that could not follow is said with the next call, which is told at once from then on", async () => {
  const { state, log, history, shown } = await openLong();
  await history.append(1, [completedExample(1)]);
  for (const file of [state, log]) {
    rmSync(file);
    mkdirSync(file);
  }
  expect((await history.look()).warnings).toContain(unsavedText);
  const { warnings } = await history.append(2, [startedExample(2)]);
  expect(warnings).toEqual(expect.arrayContaining([unsavedText, unloggedText]));
  for (const file of [state, log]) rmSync(file, { recursive: true });
  expect((await history.look()).warnings).toEqual([]);
  expect(shown()).toEqual({ position: "started", entries: 4 });
});
