import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert";
import type { History } from "../engine/ports.ts";
import { replay } from "../workflow/replay.ts";
import { completedExample, startedExample } from "./example-events.ts";
import { type FaultHooks, faultRules } from "./fault-rules.ts";

/** A fresh desk of one bot: `history` opens another window on it each time. What is left out of the hooks is not asked of the store. */
export type OpenedDesk = FaultHooks & {
  readonly bot: string;
  history(): History;
  dispose(): Promise<void> | void;
};

/** One rule that every history keeps; `run` rejects where a store breaks it. Works with any test runner. */
export type HistoryRule = {
  readonly title: string;
  run(open: () => Promise<OpenedDesk>): Promise<void>;
};

/** The rules of a history. A store that passes them all can stand in for any other. */
export function historyContract(): readonly HistoryRule[] {
  return [...rules, ...faultRules].map(([title, check]) => ({
    title,
    async run(open) {
      const desk = await open();
      try {
        await check(desk);
      } finally {
        await desk.dispose();
      }
    },
  }));
}

const rules: readonly (readonly [string, (desk: OpenedDesk) => Promise<void>])[] = [
  [
    "a new desk has no records and no position",
    async (desk) => {
      const { seen, desk: empty, found } = await desk.history().look();
      deepStrictEqual([seen, empty.focus, found.kind], [0, null, "current"]);
      deepStrictEqual(await desk.history().events(), []);
      deepStrictEqual(await desk.history().views(), { state: null, log: [] });
    },
  ],
  [
    "what one window appends, every window sees",
    async (desk) => {
      const [one, other] = [desk.history(), desk.history()];
      await other.look();
      deepStrictEqual(await one.append(0, [startedExample(1)]), { status: "recorded", warnings: [] });
      for (const window of [one, other, desk.history()]) {
        const { seen, desk: now, found } = await window.look();
        deepStrictEqual([seen, now.focus?.step, found.kind], [1, "step_1", "current"]);
      }
    },
  ],
  [
    "a late writer is told that it is behind, and nothing of its record counts",
    async (desk) => {
      const [one, late] = [desk.history(), desk.history()];
      const { seen } = await late.look();
      await one.append(0, [startedExample(1)]);
      strictEqual((await late.append(seen, [startedExample(2), startedExample(3)])).status, "behind");
      strictEqual((await late.append(7, [startedExample(2)])).status, "behind");
      for (const window of [one, late, desk.history()]) deepStrictEqual(await window.events(), [startedExample(1)]);
      strictEqual((await late.append((await late.look()).seen, [startedExample(2)])).status, "recorded");
    },
  ],
  [
    "windows that append at the same time make one linear history, with nothing lost",
    async (desk) => {
      const windows = Array.from({ length: 8 }, (_, index) => ({ index, history: desk.history() }));
      await Promise.all(
        windows.map(async ({ index, history }) => {
          for (let turn = 0; turn < 10; turn++) await appendAtLast(history, index * 100 + turn, `window ${index}`);
        }),
      );
      const events = await desk.history().events();
      strictEqual(events.length, 80);
      for (const { index, history } of windows) {
        const mine = events.filter(({ by }) => by === `window ${index}`);
        const expected = Array.from({ length: 10 }, (_, turn) => startedExample(index * 100 + turn, `window ${index}`));
        deepStrictEqual(mine, expected);
        deepStrictEqual(await history.events(), events);
      }
    },
  ],
  [
    "an append of several events is seen whole or not at all",
    async (desk) => {
      const [writer, reader] = [desk.history(), desk.history()];
      const writing = (async () => {
        for (let seen = 0; seen < 20; seen++) {
          await writer.append(seen, [startedExample(seen), completedExample(seen), startedExample(1000 + seen)]);
        }
      })();
      for (let look = 0; look < 20; look++) {
        strictEqual((await reader.events()).length % 3, 0);
        await Promise.resolve();
      }
      await writing;
      strictEqual((await reader.look()).seen, 20);
    },
  ],
  [
    "events come back in order and equal",
    async (desk) => {
      const history = desk.history();
      const events = [startedExample(1), completedExample(1), startedExample(2)];
      await history.append(0, events.slice(0, 2));
      await history.append(1, events.slice(2));
      deepStrictEqual(await history.events(), events);
      deepStrictEqual(await desk.history().events(), events);
    },
  ],
  [
    "the desk is what its events add up to, for a window opened later too",
    async (desk) => {
      const history = desk.history();
      await history.append(0, [startedExample(1), completedExample(1)]);
      await history.append(1, [startedExample(2)]);
      const later = desk.history();
      const { desk: reopened } = await later.look();
      deepStrictEqual(reopened, replay(await later.events()));
      deepStrictEqual(reopened, (await history.look()).desk);
    },
  ],
  [
    "the history only grows",
    async (desk) => {
      const windows = [desk.history(), desk.history()];
      let before = await desk.history().events();
      for (let number = 0; number < 10; number++) {
        const window = windows[number % 2];
        ok(window);
        await appendAtLast(window, number, "window");
        const now = await desk.history().events();
        deepStrictEqual(now.slice(0, before.length), before);
        strictEqual(now.length, before.length + 1);
        before = now;
      }
    },
  ],
  [
    "an append of nothing records nothing",
    async (desk) => {
      const history = desk.history();
      strictEqual((await history.append(0, [])).status, "recorded");
      strictEqual((await history.append(1, [])).status, "behind");
      strictEqual((await history.look()).seen, 0);
    },
  ],
  [
    "what a caller does with its own list afterwards does not change the history",
    async (desk) => {
      const history = desk.history();
      const events = [startedExample(1)];
      await history.append(0, events);
      events.push(startedExample(2));
      deepStrictEqual(await history.events(), [startedExample(1)]);
      notStrictEqual(await history.events(), events);
    },
  ],
  [
    "the views show the position, the completed actions and two log entries an execution",
    async (desk) => {
      const history = desk.history();
      await history.append(0, [startedExample(1)]);
      await history.append(1, [completedExample(1)]);
      const { state, log } = await desk.history().views();
      const action = `${desk.bot}.discovery.step_1`;
      deepStrictEqual([state?.current_action, state?.action_state], [action, "completed"]);
      const entry = { action_state: action, timestamp: completedExample(1).at, duration: 60 };
      deepStrictEqual(state?.completed_actions, [entry]);
      deepStrictEqual(
        log.map((logged) => [logged.action, logged.action_state]),
        [
          [action, "started"],
          [action, "completed"],
        ],
      );
    },
  ],
];

async function appendAtLast(history: History, number: number, by: string): Promise<void> {
  for (;;) {
    const { seen } = await history.look();
    const { status } = await history.append(seen, [startedExample(number, by)]);
    if (status === "recorded") return;
    strictEqual(status, "behind");
  }
}
