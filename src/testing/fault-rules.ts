import { deepStrictEqual, ok, strictEqual } from "node:assert";
import type { AppendResult, EventLog } from "../engine/ports/event-log.ts";
import { Unavailable } from "../kit/unavailable.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { append, eventsOf } from "./append-events.ts";
import type { StreamCheck } from "./contract-rule.ts";
import { completedExample, startedExample } from "./example-events.ts";
import type { OpenedLog } from "./opened-log.ts";

/** A step of another workflow than the examples. */
function elsewhere(number: number): Event {
  return { ...startedExample(number, "elsewhere"), ...{ workflow: "shape" } };
}

/** A window that holds a completion while another records first; undefined if writing cannot be broken. */
async function holdingWindow(opened: OpenedLog, id: StreamId, first: Event): Promise<EventLog | undefined> {
  if (opened.breakWriting === undefined || opened.neverHolds) return undefined;
  const [window, other] = [opened.log(), opened.log()];
  await append(window, id, 0, [startedExample(0)]);
  const repair = opened.breakWriting();
  await append(window, id, 1, [completedExample(0)]);
  repair();
  strictEqual((await append(other, id, 1, [first])).status, "recorded");
  return window;
}

/** The rules for crashes and failing disks. */
export const faultRules: readonly StreamCheck<OpenedLog>[] = [
  [
    "acknowledged events survive a crash of every window, in order and once",
    async ({ log, crash }, id) => {
      if (crash === undefined) return;
      const events: Event[] = [];
      for (let round = 0; round < 4; round++) {
        const [one, other] = [log(), log()];
        for (const window of [one, other, one]) {
          const { seen } = await window.load(id);
          const event = startedExample(events.length);
          const onFault = round % 2 === 0 ? "hold" : "refuse";
          strictEqual((await append(window, id, seen, [event], onFault)).status, "recorded");
          events.push(event);
        }
        await crash();
        const { seen, stream, warnings } = await log().load(id);
        deepStrictEqual([seen, warnings], [events.length, []]);
        deepStrictEqual(stream, replay(events));
        deepStrictEqual(await eventsOf(log(), id), events);
      }
    },
  ],
  [
    "while writing fails, work continues in memory with a warning and is written in order as soon as possible",
    async (opened, id) => {
      if (opened.breakWriting === undefined || opened.neverHolds) return;
      const window = opened.log();
      await append(window, id, 0, [startedExample(0)]);
      strictEqual(window.hasUnwritten(id), false);
      const repair = opened.breakWriting();
      const held = [completedExample(0), startedExample(1), completedExample(1)];
      for (const [index, event] of held.entries()) {
        const { status, warnings } = await append(window, id, index + 1, [event]);
        deepStrictEqual([status, warnings[0], window.hasUnwritten(id)], ["held", unsaved, true]);
        const { stream, seen } = await window.load(id);
        deepStrictEqual([stream, seen], [replay([startedExample(0), ...held.slice(0, index + 1)]), index + 2]);
      }
      deepStrictEqual(await eventsOf(window, id), [startedExample(0), ...held]);
      strictEqual((await append(window, id, 1, [startedExample(9)])).status, "behind");
      repair();
      deepStrictEqual([(await window.load(id)).warnings, window.hasUnwritten(id)], [[], false]);
      for (const reader of [window, opened.log()])
        deepStrictEqual(await eventsOf(reader, id), [startedExample(0), ...held]);
      strictEqual((await append(window, id, 4, [startedExample(2)])).status, "recorded");
    },
  ],
  [
    "held events are decided again: those that another window made impossible are reported, not recorded",
    async (opened, id) => {
      const window = await holdingWindow(opened, id, startedExample(5));
      if (window === undefined) return;
      const { warnings, seen } = await window.load(id);
      ok(warnings.some((warning) => warning.startsWith("Conflict:") && warning.includes("completed discovery.step_0")));
      strictEqual(seen, 2);
      deepStrictEqual((await window.load(id)).warnings, []);
      deepStrictEqual(await eventsOf(window, id), [startedExample(0), startedExample(5)]);
    },
  ],
  [
    "held events are decided again: those that still apply are recorded after the others, and not dated before them",
    async (opened, id) => {
      const window = await holdingWindow(opened, id, elsewhere(5));
      if (window === undefined) return;
      deepStrictEqual((await window.load(id)).warnings, []);
      for (const reader of [window, opened.log()])
        deepStrictEqual(await eventsOf(reader, id), [
          startedExample(0),
          elsewhere(5),
          { ...completedExample(0), at: elsewhere(5).at },
        ]);
    },
  ],
  [
    "in refuse mode, events that cannot be written are not held and do not count",
    async (opened, id) => {
      if (opened.breakWriting === undefined) return;
      const window = opened.log();
      await append(window, id, 0, [startedExample(0)], "refuse");
      for (const onFault of opened.neverHolds ? (["refuse", "hold"] as const) : (["refuse"] as const)) {
        const repair = opened.breakWriting();
        await notRecorded(append(window, id, 1, [completedExample(0)], onFault));
        strictEqual(window.hasUnwritten(id), false);
        repair();
        for (const reader of [window, opened.log()]) deepStrictEqual(await eventsOf(reader, id), [startedExample(0)]);
      }
      strictEqual((await append(window, id, 1, [completedExample(0)], "refuse")).status, "recorded");
    },
  ],
];

/** Expects an append to fail, as a status with a warning or as an `Unavailable` error. */
async function notRecorded(appending: Promise<AppendResult>): Promise<void> {
  const answer = await appending.catch((error: unknown) => error);
  if (answer instanceof Unavailable) return;
  const { status, warnings } = await appending;
  deepStrictEqual([status, warnings[0]], ["failed", unsaved]);
}

const unsaved = "Unable to save workflow state. Progress may not be preserved.";
