import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert";
import type { EventLog } from "../engine/ports/event-log.ts";
import { replay } from "../workflow/replay.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { append, eventsOf } from "./append-events.ts";
import { type ContractRule, forEveryStream, type StreamCheck } from "./contract-rule.ts";
import { completedExample, startedExample } from "./example-events.ts";
import { faultRules } from "./fault-rules.ts";
import type { OpenedLog } from "./opened-log.ts";
import { recordRules } from "./record-rules.ts";

/** The rules that every event log must keep, so that stores are interchangeable. */
export function eventLogContract(): readonly ContractRule<OpenedLog>[] {
  return forEveryStream([...rules, ...recordRules, ...faultRules]);
}

const rules: readonly StreamCheck<OpenedLog>[] = [
  [
    "the named runs of a bot and its default run are independent",
    async ({ log }, id) => {
      const opened = log();
      const others: readonly StreamId[] = ["x", "feature", "feature/login.v2"].map((run) => ({
        ...id,
        kind: "bot",
        run,
      }));
      await append(opened, id, 0, [startedExample(1)]);
      for (const other of others)
        deepStrictEqual([(await opened.load(other)).seen, await opened.has(other)], [0, false]);
      for (const other of others) await append(opened, other, 0, [startedExample(2)]);
      for (const other of others) strictEqual((await opened.load(other)).stream.focus?.step, "step_2");
      strictEqual((await opened.load(id)).stream.focus?.step, "step_1");
      deepStrictEqual(new Set(await log().streams()), new Set([id, ...others]));
      deepStrictEqual(
        new Set(await log().streams("bot")),
        new Set([id, ...others].filter(({ kind }) => kind === "bot")),
      );
    },
  ],
  [
    "a new stream has no records and no position, and is not listed",
    async ({ log }, id) => {
      const opened = log();
      const { seen, stream, warnings } = await opened.load(id);
      deepStrictEqual([seen, stream.focus, stream.session, warnings], [0, null, null, []]);
      deepStrictEqual([await eventsOf(opened, id), await opened.streams(), await opened.has(id)], [[], [], false]);
    },
  ],
  [
    "every window sees what one window appends",
    async ({ log }, id) => {
      const [one, other] = [log(), log()];
      await other.load(id);
      deepStrictEqual(await append(one, id, 0, [startedExample(1)]), { status: "recorded", warnings: [] });
      for (const window of [one, other, log()]) {
        const { seen, stream } = await window.load(id);
        deepStrictEqual([seen, stream.focus?.step], [1, "step_1"]);
        deepStrictEqual([await window.streams(), await window.has(id)], [[id], true]);
      }
    },
  ],
  [
    "a late writer is reported as behind, and nothing it wrote counts",
    async ({ log }, id) => {
      const [one, late] = [log(), log()];
      const { seen } = await late.load(id);
      await append(one, id, 0, [startedExample(1)]);
      for (const onFault of ["hold", "refuse"] as const)
        strictEqual((await append(late, id, seen, [startedExample(2), startedExample(3)], onFault)).status, "behind");
      strictEqual((await append(late, id, 7, [startedExample(2)])).status, "behind");
      for (const window of [one, late, log()]) deepStrictEqual(await eventsOf(window, id), [startedExample(1)]);
      strictEqual((await append(late, id, (await late.load(id)).seen, [startedExample(2)])).status, "recorded");
    },
  ],
  [
    "if several writers start one stream at once, exactly one succeeds and the others leave nothing",
    async ({ log }, id) => {
      const windows = Array.from({ length: 6 }, () => log());
      for (const onFault of ["refuse", "hold"] as const) {
        const { seen } = await log().load(id);
        const appended = await Promise.all(
          windows.map((window, index) => append(window, id, seen, [startedExample(index)], onFault)),
        );
        const statuses = appended.map(({ status }) => status).sort();
        deepStrictEqual(statuses, [...Array<string>(5).fill("behind"), "recorded"]);
        strictEqual((await eventsOf(log(), id)).length, seen + 1);
      }
    },
  ],
  [
    "concurrent appends make one linear history without losses",
    async ({ log }, id) => {
      const windows = Array.from({ length: 8 }, (_, index) => ({ index, window: log() }));
      await Promise.all(
        windows.map(async ({ index, window }) => {
          for (let turn = 0; turn < 10; turn++)
            await appendEventually(window, id, index * 100 + turn, `window ${index}`);
        }),
      );
      const events = await eventsOf(log(), id);
      strictEqual(events.length, 80);
      for (const { index, window } of windows) {
        const mine = events.filter(({ by }) => by === `window ${index}`);
        const expected = Array.from({ length: 10 }, (_, turn) => startedExample(index * 100 + turn, `window ${index}`));
        deepStrictEqual(mine, expected);
        deepStrictEqual(await eventsOf(window, id), events);
      }
    },
  ],
  [
    "an append of several events is seen whole or not at all",
    async ({ log }, id) => {
      const [writer, reader] = [log(), log()];
      const writing = (async () => {
        for (let seen = 0; seen < 20; seen++)
          await append(writer, id, seen, [startedExample(seen), completedExample(seen), startedExample(1000 + seen)]);
      })();
      for (let look = 0; look < 20; look++) {
        strictEqual((await eventsOf(reader, id)).length % 3, 0);
        await Promise.resolve();
      }
      await writing;
      strictEqual((await reader.load(id)).seen, 20);
    },
  ],
  [
    "events come back in order and equal",
    async ({ log }, id) => {
      const window = log();
      const events = [startedExample(1), completedExample(1), startedExample(2)];
      await append(window, id, 0, events.slice(0, 2));
      await append(window, id, 1, events.slice(2));
      for (const reader of [window, log()]) deepStrictEqual(await eventsOf(reader, id), events);
    },
  ],
  [
    "the state of a stream is the replay of its events, in later windows too",
    async ({ log }, id) => {
      const window = log();
      await append(window, id, 0, [startedExample(1), completedExample(1)]);
      await append(window, id, 1, [startedExample(2)]);
      const later = log();
      const { stream } = await later.load(id);
      deepStrictEqual(stream, replay(await eventsOf(later, id)));
      deepStrictEqual(stream, (await window.load(id)).stream);
    },
  ],
  [
    "the history only grows",
    async ({ log }, id) => {
      const windows = [log(), log()];
      let before = await eventsOf(log(), id);
      for (let number = 0; number < 10; number++) {
        const window = windows[number % 2];
        ok(window);
        await appendEventually(window, id, number, "window");
        const now = await eventsOf(log(), id);
        deepStrictEqual(now.slice(0, before.length), before);
        strictEqual(now.length, before.length + 1);
        before = now;
      }
    },
  ],
  [
    "an append of nothing records nothing",
    async ({ log }, id) => {
      const window = log();
      for (const onFault of ["hold", "refuse"] as const) {
        strictEqual((await append(window, id, 0, [], onFault)).status, "recorded");
        strictEqual((await append(window, id, 1, [], onFault)).status, "behind");
      }
      strictEqual((await window.load(id)).seen, 0);
    },
  ],
  [
    "a caller that changes its own list afterwards does not change the history",
    async ({ log }, id) => {
      const window = log();
      const events = [startedExample(1)];
      await append(window, id, 0, events);
      events.push(startedExample(2));
      deepStrictEqual(await eventsOf(window, id), [startedExample(1)]);
      notStrictEqual(await eventsOf(window, id), events);
    },
  ],
  [
    "streams are independent of each other, with any names",
    async ({ log }, id) => {
      const window = log();
      const others: readonly StreamId[] = [
        { kind: "bot", name: "one" },
        { kind: "session", name: "one" },
        { kind: "session", name: "../two é" },
      ];
      for (const [number, other] of others.entries()) await append(window, other, 0, [startedExample(number)]);
      strictEqual((await window.load(id)).seen, 0);
      for (const [number, other] of others.entries())
        deepStrictEqual(await eventsOf(log(), other), [startedExample(number)]);
      const listed = await log().streams();
      deepStrictEqual(listed.map((one) => `${one.kind} ${one.name}`).sort(), [
        "bot one",
        "session ../two é",
        "session one",
      ]);
    },
  ],
];

async function appendEventually(log: EventLog, id: StreamId, number: number, by: string): Promise<void> {
  for (;;) {
    const { seen } = await log.load(id);
    const { status } = await append(log, id, seen, [startedExample(number, by)], number % 2 === 0 ? "hold" : "refuse");
    if (status === "recorded") return;
    strictEqual(status, "behind");
  }
}
