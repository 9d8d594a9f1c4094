import { deepStrictEqual, ok, strictEqual } from "node:assert";
import type { Appended, DeskId, EventLog } from "../engine/ports.ts";
import { Unavailable } from "../evidence/unavailable.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
import { append, eventsOf } from "./asking.ts";
import type { OpenedLog } from "./event-log-contract.ts";
import { completedExample, startedExample } from "./example-events.ts";
import type { DeskCheck } from "./rule.ts";

/** What a store must be able to do for a rule about faults to be put to it; a store in memory has no such things to lose. */
export type FaultHooks = {
  /** Every window dies at once: what was only in memory is gone. */
  crash?(): Promise<void> | void;
  /** From now on nothing can be written; the answer makes it work again. */
  breakWriting?(): () => void;
  /** The store holds nothing in memory: what it cannot record it refuses, whatever it is told. */
  readonly neverHolds?: true;
};

/** A step of another workflow than the examples are about. */
function elsewhere(number: number): Event {
  return { ...startedExample(number, "elsewhere"), ...{ workflow: "shape" } };
}

/** A window that held a completion back while another recorded something first; undefined where writing cannot be broken. */
async function holdingBack(opened: OpenedLog, id: DeskId, first: Event): Promise<EventLog | undefined> {
  if (opened.breakWriting === undefined || opened.neverHolds) return undefined;
  const [window, other] = [opened.log(), opened.log()];
  await append(window, id, 0, [startedExample(0)]);
  const mend = opened.breakWriting();
  await append(window, id, 1, [completedExample(0)]);
  mend();
  strictEqual((await append(other, id, 1, [first])).status, "recorded");
  return window;
}

/** The rules for what happens when processes die and disks fail. */
export const faultRules: readonly DeskCheck<OpenedLog>[] = [
  [
    "what was acknowledged is there after every window has died, in order and once",
    async ({ log, crash }, id) => {
      if (crash === undefined) return;
      const events: Event[] = [];
      for (let round = 0; round < 4; round++) {
        const [one, other] = [log(), log()];
        for (const window of [one, other, one]) {
          const { seen } = await window.look(id);
          const event = startedExample(events.length);
          const onFault = round % 2 === 0 ? "hold" : "refuse";
          strictEqual((await append(window, id, seen, [event], onFault)).status, "recorded");
          events.push(event);
        }
        await crash();
        const { seen, desk, warnings } = await log().look(id);
        deepStrictEqual([seen, warnings], [events.length, []]);
        deepStrictEqual(desk, replay(events));
        deepStrictEqual(await eventsOf(log(), id), events);
      }
    },
  ],
  [
    "while nothing can be written the work goes on in memory with a warning, and is written in order as soon as it can be",
    async (opened, id) => {
      if (opened.breakWriting === undefined || opened.neverHolds) return;
      const window = opened.log();
      await append(window, id, 0, [startedExample(0)]);
      strictEqual(window.owes(id), false);
      const mend = opened.breakWriting();
      const held = [completedExample(0), startedExample(1), completedExample(1)];
      for (const [index, event] of held.entries()) {
        const { status, warnings } = await append(window, id, index + 1, [event]);
        deepStrictEqual([status, warnings[0], window.owes(id)], ["held", unsaved, true]);
        const { desk, seen } = await window.look(id);
        deepStrictEqual([desk, seen], [replay([startedExample(0), ...held.slice(0, index + 1)]), index + 2]);
      }
      deepStrictEqual(await eventsOf(window, id), [startedExample(0), ...held]);
      strictEqual((await append(window, id, 1, [startedExample(9)])).status, "behind");
      mend();
      deepStrictEqual([(await window.look(id)).warnings, window.owes(id)], [[], false]);
      for (const reader of [window, opened.log()])
        deepStrictEqual(await eventsOf(reader, id), [startedExample(0), ...held]);
      strictEqual((await append(window, id, 4, [startedExample(2)])).status, "recorded");
    },
  ],
  [
    "what was held is decided anew: what another window made impossible is reported and not recorded",
    async (opened, id) => {
      const window = await holdingBack(opened, id, startedExample(5));
      if (window === undefined) return;
      const { warnings, seen } = await window.look(id);
      ok(warnings.some((warning) => warning.startsWith("Conflict:") && warning.includes("completed discovery.step_0")));
      strictEqual(seen, 2);
      deepStrictEqual((await window.look(id)).warnings, []);
      deepStrictEqual(await eventsOf(window, id), [startedExample(0), startedExample(5)]);
    },
  ],
  [
    "what was held is decided anew: what nobody else touched is recorded after what they did",
    async (opened, id) => {
      const window = await holdingBack(opened, id, elsewhere(5));
      if (window === undefined) return;
      deepStrictEqual((await window.look(id)).warnings, []);
      for (const reader of [window, opened.log()])
        deepStrictEqual(await eventsOf(reader, id), [startedExample(0), elsewhere(5), completedExample(0)]);
    },
  ],
  [
    "what is to be refused where it cannot be recorded is not held, and nothing of it counts",
    async (opened, id) => {
      if (opened.breakWriting === undefined) return;
      const window = opened.log();
      await append(window, id, 0, [startedExample(0)], "refuse");
      for (const onFault of opened.neverHolds ? (["refuse", "hold"] as const) : (["refuse"] as const)) {
        const mend = opened.breakWriting();
        await notRecorded(append(window, id, 1, [completedExample(0)], onFault));
        strictEqual(window.owes(id), false);
        mend();
        for (const reader of [window, opened.log()]) deepStrictEqual(await eventsOf(reader, id), [startedExample(0)]);
      }
      strictEqual((await append(window, id, 1, [completedExample(0)], "refuse")).status, "recorded");
    },
  ],
];

/** A store says that it cannot record as a status, with a warning, or as a fault: it is `Unavailable`. */
async function notRecorded(appending: Promise<Appended>): Promise<void> {
  const answer = await appending.catch((error: unknown) => error);
  if (answer instanceof Unavailable) return;
  const { status, warnings } = await appending;
  deepStrictEqual([status, warnings[0]], ["failed", unsaved]);
}

const unsaved = "Unable to save workflow state. Progress may not be preserved.";
