import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { openWindow } from "./window.testing.ts";

function openArea() {
  const area = mkdtempSync(join(tmpdir(), "waymark-history-"));
  const state = join(area, "workflow_state.json");
  const log = join(area, "activity_log.json");
  const opened: { close(): void }[] = [];
  onTestFinished(() => {
    for (const history of opened) history.close();
    rmSync(area, { recursive: true, force: true });
  });
  return {
    area,
    state,
    log,
    open() {
      const history = openWindow(area);
      opened.push(history);
      return history;
    },
    kept() {
      const folder = join(area, ".waymark", "kept");
      return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
    },
    json: (path: string) => JSON.parse(readFileSync(path, "utf8")),
  };
}

const stamp = { at: "2025-12-03T10:30:00.000Z", by: "window" };
const beganAgain: Event = { type: "began_anew", ...stamp, reason: "workflow_state.json was deleted" };
const edit = { current_behavior: "shape", current_action: "3_build", completed_actions: ["gather_context"] };
const adopted: Event = {
  type: "adopted",
  ...stamp,
  origin: "edited",
  workflow: "shape",
  step: "build",
  state: "started",
  timestamp: stamp.at,
  completed: [],
  before: [],
  vouched: [],
};

it("looking creates nothing", async () => {
  const { area, open } = openArea();
  expect((await open().look()).found).toEqual({ kind: "current" });
  expect(readdirSync(area)).toEqual([]);
});

it("an append shows in both files at once", async () => {
  const { open, state, log, json } = openArea();
  await open().append(0, [startedExample(1)]);
  expect(json(state)).toMatchObject({ current_action: "story_bot.discovery.step_1" });
  expect(json(log)).toMatchObject([{ action_state: "started" }]);
});

it("nothing but the two files and the engine's own folder stands in the project area", async () => {
  const { area, open } = openArea();
  const history = open();
  for (let seen = 0; seen < 5; seen++) await history.append(seen, [startedExample(seen)]);
  expect(readdirSync(area).toSorted()).toEqual([".waymark", "activity_log.json", "workflow_state.json"]);
  history.close();
  expect(readdirSync(join(area, ".waymark", "tmp"))).toEqual([]);
});

it("a state file that stood there before the first record is foreign, and says what it says", async () => {
  const { open, state } = openArea();
  writeFileSync(
    state,
    `\uFEFF${JSON.stringify({
      ...edit,
      action_state: "paused",
      timestamp: 5,
      completed_actions: [
        "1_gather_context",
        { action: "shape.plan", timestamp: "t", duration: 3 },
        { action_state: "story_bot.shape.build", duration: "long" },
        { nothing: true },
        null,
      ],
    })}`,
  );
  expect((await open().look()).found).toEqual({
    kind: "foreign",
    file: {
      workflow: "shape",
      step: "3_build",
      completed: [
        { step: "1_gather_context" },
        { step: "shape.plan", timestamp: "t", duration: 3 },
        { step: "story_bot.shape.build" },
      ],
    },
  });
});

it.each([
  ["", "it is empty"],
  ["\uFEFF \n", "it is empty"],
  ["{", "it is not JSON"],
  ["\0\0\0\0", "it is not JSON"],
  ["[]", "it is not a JSON object"],
  ["null", "it is not a JSON object"],
])("a state file of %j is malformed, with or without a history", async (text, reason) => {
  const { open, state } = openArea();
  writeFileSync(state, text);
  expect((await open().look()).found).toEqual({ kind: "malformed", reason });
  await open().append(0, [startedExample(1)]);
  writeFileSync(state, text);
  expect((await open().look()).found).toEqual({ kind: "malformed", reason });
});

it("key order and blanks are free", async () => {
  const { open, state, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1), completedExample(1)]);
  writeFileSync(state, JSON.stringify(Object.fromEntries(Object.entries(json(state)).toReversed()), null, 8));
  expect((await history.look()).found).toEqual({ kind: "current" });
  expect((await open().look()).found).toEqual({ kind: "current" });
});

it("an edit is foreign, even one of the same length in the same instant", async () => {
  const { open, state } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  writeFileSync(state, readFileSync(state, "utf8").replace("step_1", "step_2"));
  const { found } = await history.look();
  expect(found).toMatchObject({ kind: "foreign", file: { step: "story_bot.discovery.step_2" } });
});

it("an adopted edit is answered once: published over, kept aside, and no edit any more", async () => {
  const { open, state, kept, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  writeFileSync(state, JSON.stringify(edit));
  const { seen } = await history.look();
  await history.append(seen, [adopted]);
  expect(json(state)).toMatchObject({ current_action: "story_bot.shape.build" });
  expect(kept()).toEqual([JSON.stringify(edit)]);
  expect((await history.look()).found).toEqual({ kind: "current" });
});

it("an edit whose answer was recorded but never published is not adopted twice", async () => {
  const { open, state } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  writeFileSync(state, JSON.stringify(edit));
  await history.append((await history.look()).seen, [adopted]);
  writeFileSync(state, JSON.stringify(edit)); // as a crash before publishing leaves it
  const other = open();
  expect((await other.look()).found).toEqual({ kind: "behind" });
  expect(await other.repair({ keepAside: false })).toEqual([]);
  expect((await history.look()).found).toEqual({ kind: "current" });
});

it("an edit made between look and append is left for the next look to obey", async () => {
  const { open, state, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  const { seen } = await history.look();
  writeFileSync(state, JSON.stringify(edit));
  expect((await history.append(seen, [completedExample(1)])).status).toBe("recorded");
  expect(json(state)).toEqual(edit);
  expect((await history.look()).found.kind).toBe("foreign");
});

it("a deleted state file is a deletion, until a new beginning is recorded", async () => {
  const { open, state } = openArea();
  await open().append(0, [startedExample(1)]);
  rmSync(state);
  const history = open();
  expect((await history.look()).found).toEqual({ kind: "deleted" });
  await history.append(1, [beganAgain]);
  expect(existsSync(state)).toBe(false);
  for (const window of [history, open()]) expect((await window.look()).found).toEqual({ kind: "current" });
  await history.look();
  await history.append(2, [startedExample(2)]);
  expect(existsSync(state)).toBe(true);
  rmSync(state);
  expect((await open().look()).found).toEqual({ kind: "deleted" });
});

it("a state file that was recorded but never published is published, not taken for deleted", async () => {
  const { area, open, state, log } = openArea();
  const history = open();
  await history.look();
  await history.append(0, [startedExample(1)]);
  for (const file of [state, log, join(area, ".waymark/journal/story_bot.published")]) rmSync(file); // a crash before publishing
  const { found, warnings } = await open().look();
  expect([found, warnings]).toEqual([{ kind: "current" }, []]);
  expect([existsSync(state), existsSync(log)]).toEqual([true, true]);
});

it("a new beginning whose files were never published is not begun again", async () => {
  const { open, state } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  rmSync(state);
  await history.append((await history.look()).seen, [beganAgain]);
  const marker = join(state, "../.waymark/journal/story_bot.published");
  const before = readFileSync(marker);
  await history.append((await history.look()).seen, [startedExample(2)]);
  writeFileSync(marker, before);
  rmSync(state); // as a crash between append and publication leaves it
  expect((await open().look()).found).toEqual({ kind: "current" });
  expect(existsSync(state)).toBe(true);
});

it("a file of an earlier point is behind, and repair brings it up to date without keeping it", async () => {
  const { open, state, kept, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  const earlier = readFileSync(state);
  await history.append(1, [completedExample(1)]);
  writeFileSync(state, earlier);
  const other = open();
  expect((await other.look()).found).toEqual({ kind: "behind" });
  expect(await other.repair({ keepAside: false })).toEqual([]);
  expect(json(state)).toMatchObject({ action_state: "completed" });
  expect(kept()).toEqual([]);
});

it("a malformed file is kept aside before it is restored", async () => {
  const { open, state, kept, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  writeFileSync(state, "{ half");
  await history.look();
  expect(await history.repair({ keepAside: true })).toEqual([]);
  expect(json(state)).toMatchObject({ action_state: "started" });
  expect(kept()).toEqual(["{ half"]);
});

it("repair removes a file that the history has no position for, after keeping it aside", async () => {
  const { open, state, kept } = openArea();
  const history = open();
  writeFileSync(state, "{ half");
  await history.append((await history.look()).seen, [beganAgain]);
  expect(await history.repair({ keepAside: true })).toEqual([]);
  expect([existsSync(state), kept()]).toEqual([false, ["{ half"]]);
  expect((await history.look()).found).toEqual({ kind: "current" });
});

it("a deleted file is restored by repair", async () => {
  const { open, state, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  rmSync(state);
  await history.look();
  await history.repair({ keepAside: false });
  expect(json(state)).toMatchObject({ action_state: "started" });
});

it("a log that stood there before is found, and goes on in front of ours", async () => {
  const { open, log, kept, json } = openArea();
  writeFileSync(log, JSON.stringify([{ mine: 1 }]));
  const history = open();
  const { seen, foundLog } = await history.look();
  expect(foundLog).toEqual([{ mine: 1 }]);
  await history.append(seen, [{ type: "log_adopted", ...stamp, log: foundLog ?? [] }, startedExample(1)]);
  expect(json(log)).toMatchObject([{ mine: 1 }, { action_state: "started" }]);
  expect(kept()).toEqual([]);
  expect(await open().look()).not.toHaveProperty("foundLog");
});

it.each(["{ half", '[{"mine": 2}]', '{"not": "a list"}', "[1]"])(
  "a log of %j that somebody wrote is kept aside before ours is published",
  async (text) => {
    const { open, log, kept, json } = openArea();
    const history = open();
    await history.append(0, [startedExample(1)]);
    writeFileSync(log, text);
    await history.append(1, [completedExample(1)]);
    expect(kept()).toEqual([text]);
    expect(json(log)).toHaveLength(2);
  },
);

it("a log that another window published is not kept aside", async () => {
  const { open, kept, json, log } = openArea();
  const [one, other] = [open(), open()];
  for (let seen = 0; seen < 6; seen++) await (seen % 2 ? one : other).append(seen, [startedExample(seen)]);
  expect([kept(), json(log).length]).toEqual([[], 6]);
});

it("a log that a crash left behind is brought up to date by the next window", async () => {
  const { open, log, json } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  const earlier = readFileSync(log);
  await history.append(1, [completedExample(1)]);
  writeFileSync(log, earlier);
  await open().look();
  expect(json(log)).toHaveLength(2);
});

it("what a dead process left half-written is swept away, and what is young is left alone", async () => {
  const { area, open } = openArea();
  const tmp = join(area, ".waymark", "tmp");
  mkdirSync(tmp, { recursive: true });
  writeFileSync(join(tmp, "4194305-old.tmp"), "");
  writeFileSync(join(tmp, "4194305-young.tmp"), "");
  writeFileSync(join(tmp, `${process.pid}-mine.tmp`), "");
  const { utimesSync } = await import("node:fs");
  for (const name of ["4194305-old.tmp", `${process.pid}-mine.tmp`]) utimesSync(join(tmp, name), 1, 1);
  await open().look();
  expect(readdirSync(tmp).toSorted()).toEqual(["4194305-young.tmp", `${process.pid}-mine.tmp`].toSorted());
});

it("a bot's name cannot lead its journal out of the folder", async () => {
  const { area } = openArea();
  const history = openWindow(area, "../../bot é");
  await history.append(0, [startedExample(1)]);
  history.close();
  expect(readdirSync(join(area, ".waymark/journal"))).toContain("%2E%2E%2F%2E%2E%2Fbot%20%C3%A9.jsonl");
});

it("when the engine's folder is removed, what is left is a file somebody wrote", async () => {
  const { area, open } = openArea();
  const history = open();
  await history.append(0, [startedExample(1)]);
  rmSync(join(area, ".waymark"), { recursive: true });
  const { seen, found, foundLog } = await history.look();
  expect([seen, found.kind, foundLog?.length]).toEqual([0, "foreign", 1]);
  expect((await history.append(0, [adopted])).status).toBe("recorded");
  expect((await open().look()).found).toEqual({ kind: "current" });
});
