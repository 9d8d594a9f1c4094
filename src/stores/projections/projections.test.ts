import { expect, it } from "vitest";
import { completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { isEarlierLog, logProjection } from "./activity-log.ts";
import { textOf } from "./file-pieces.ts";
import { parseObject, parseObjects } from "./json-text.ts";
import { stateProjection } from "./workflow-state.ts";

const at = "2025-12-03T10:30:00.000Z";
const stamp = { at, by: "window" };

function stateAfter(...events: readonly Event[]): unknown {
  const state = stateProjection("story_bot");
  for (const event of events) state.add(event);
  return parseObject(textOf(state.pieces(replay(events))));
}

function logAfter(...events: readonly Event[]): readonly unknown[] | undefined {
  const log = logProjection("story_bot");
  for (const event of events) log.add(event);
  return parseObjects(textOf(log.pieces()));
}

const adopted: Event = {
  type: "adopted",
  ...stamp,
  origin: "edited",
  workflow: "shape",
  state: "started",
  timestamp: at,
  completed: [{ workflow: "shape", step: "gather_context", timestamp: "" }],
  before: [],
  vouched: [],
};

it("a desk without a position has no state file", () => {
  expect(stateAfter()).toBeUndefined();
  expect(stateProjection("story_bot").pieces(emptyStream)).toBeUndefined();
  expect(stateAfter(startedExample(1), { type: "began_anew", ...stamp, reason: "deleted" })).toBeUndefined();
});

it("the state file names the position by full paths", () => {
  expect(stateAfter(startedExample(1))).toEqual({
    current_behavior: "story_bot.discovery",
    current_action: "story_bot.discovery.step_1",
    action_state: "started",
    timestamp: startedExample(1).at,
    completed_actions: [],
  });
});

it("completed actions are listed in the order in which they were completed, and stay listed when a step is done again", () => {
  const again: Event = { ...startedExample(1), at, ...{ attempt: 2 } };
  const paths = [completedExample(2), completedExample(1)].map(({ at: timestamp }, index) => ({
    action_state: `story_bot.discovery.step_${2 - index}`,
    timestamp,
    duration: 60,
  }));
  const events = [startedExample(2), completedExample(2), startedExample(1), completedExample(1), again];
  expect(stateAfter(...events)).toMatchObject({ action_state: "started", completed_actions: paths });
});

it("a finished workflow says so until work goes on", () => {
  const finished: Event = { ...completedExample(1), ...{ finished: true } };
  expect(stateAfter(startedExample(1), finished)).toMatchObject({ workflow_complete: true, action_state: "completed" });
  expect(stateAfter(startedExample(1), finished, startedExample(2))).not.toHaveProperty("workflow_complete");
});

it("an adopted file replaces the list, and leaves out the action where it named none", () => {
  expect(stateAfter(startedExample(1), completedExample(1), adopted)).toEqual({
    current_behavior: "story_bot.shape",
    action_state: "started",
    timestamp: at,
    completed_actions: [{ action_state: "story_bot.shape.gather_context", timestamp: "" }],
  });
});

it("an execution has two log entries, with summaries instead of documents", () => {
  const long = "x".repeat(300);
  const inputs = {
    long,
    flag: true,
    none: null,
    list: [1, 2],
    deep: { short: "s", list: [1], object: { a: 1, b: 2 } },
  };
  const started: Event = { ...startedExample(1), ...{ inputs } };
  expect(logAfter(started, completedExample(1))).toEqual([
    {
      timestamp: started.at,
      behavior: "story_bot.discovery",
      action: "story_bot.discovery.step_1",
      action_state: "started",
      inputs: {
        long: `${"x".repeat(200)}…`,
        flag: true,
        none: null,
        list: { count: 2 },
        deep: { short: "s", list: { count: 1 }, object: { keys: 2 } },
      },
      outputs: {},
      duration: null,
    },
    {
      timestamp: completedExample(1).at,
      behavior: "story_bot.discovery",
      action: "story_bot.discovery.step_1",
      action_state: "completed",
      inputs: {},
      outputs: { count: 1, list: { count: 2 }, files: ["docs/1.md"] },
      duration: 60,
    },
  ]);
});

it("work outside the sequence is logged and touches nothing else", () => {
  const forked: Event[] = [
    { type: "aside_started", ...stamp, workflow: "shape", step: "correct_bot" },
    { type: "aside_completed", ...stamp, workflow: "shape", step: "correct_bot", duration: 5, fingerprint: "" },
  ];
  expect(logAfter(...forked)).toMatchObject([
    { action: "story_bot.shape.correct_bot", action_state: "started", duration: null },
    { action: "story_bot.shape.correct_bot", action_state: "completed", duration: 5 },
  ]);
  expect(stateAfter(...forked)).toBeUndefined();
});

it("no key is lost from a summary, whatever it is called", () => {
  const outputs = JSON.parse('{"__proto__": {"constructor": "c"}, "files": "mine"}');
  const completed: Event = { ...completedExample(1), ...{ outputs } };
  const [entry] = logAfter(completed) ?? [];
  expect(JSON.stringify(entry)).toContain(
    '"outputs":{"__proto__":{"constructor":"c"},"files":"mine","content_files":["docs/1.md"]}',
  );
  expect(Object.prototype).not.toHaveProperty("c");
});

it("an object with very many keys is a count", () => {
  const outputs = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key ${index}`, index]));
  expect(logAfter({ ...completedExample(1), ...{ outputs, content: [] } })).toMatchObject([{ outputs: { keys: 51 } }]);
});

it("a log that was taken over stands in front of ours, as it was", () => {
  const log = [{ any: { thing: [1, { deep: true }] } }];
  expect(logAfter({ type: "log_adopted", ...stamp, log }, startedExample(1))).toMatchObject([
    log[0],
    { action_state: "started" },
  ]);
});

it("a log is an earlier one of ours when it is the beginning of it, however it is formatted", () => {
  const ours = logProjection("story_bot");
  ours.add(startedExample(1));
  const first = textOf(ours.pieces());
  ours.add(completedExample(1));
  const both = textOf(ours.pieces());
  expect(isEarlierLog(first, both)).toBe(true);
  expect(isEarlierLog(JSON.stringify(JSON.parse(first), null, 4), both)).toBe(true);
  // What a power cut leaves is nobody's edit.
  for (const left of ["", "[", both.slice(0, -9), both.slice(0, 20).padEnd(both.length, "\0"), "\0\0\0"])
    expect(isEarlierLog(left, both)).toBe(true);
  expect(isEarlierLog(`${both.slice(0, -9)}x`, both)).toBe(false);
  expect(isEarlierLog(both, first)).toBe(false);
  expect(isEarlierLog('[{"mine": true}]', both)).toBe(false);
});
