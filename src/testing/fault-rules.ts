import { deepStrictEqual, ok, strictEqual } from "node:assert";
import type { History } from "../engine/ports.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
import { completedExample, startedExample } from "./example-events.ts";

/** What a store must be able to do for a rule about faults to be put to it; a store in memory has no such things to lose. */
export type FaultHooks = {
  /** Every window dies at once: what was only in memory is gone. */
  crash?(): Promise<void> | void;
  /** From now on nothing can be written; the answer makes it work again. */
  breakWriting?(): () => void;
  /** Opens a window that refuses what cannot be recorded, instead of holding it. */
  strictHistory?(): History;
};

type Desk = FaultHooks & { history(): History };

/** A step of another workflow than the examples are about. */
function elsewhere(number: number): Event {
  return { ...startedExample(number, "elsewhere"), ...{ workflow: "shape" } };
}

/** A window that held a completion back while another recorded something first; undefined where writing cannot be broken. */
async function holdingBack(desk: Desk, first: Event): Promise<History | undefined> {
  if (desk.breakWriting === undefined) return undefined;
  const [history, other] = [desk.history(), desk.history()];
  await history.append(0, [startedExample(0)]);
  const mend = desk.breakWriting();
  await history.append(1, [completedExample(0)]);
  mend();
  strictEqual((await other.append(1, [first])).status, "recorded");
  return history;
}

/** The rules for what happens when processes die and disks fail. */
export const faultRules: readonly (readonly [string, (desk: Desk) => Promise<void>])[] = [
  [
    "what was acknowledged is there after every window has died, in order and once",
    async (desk) => {
      if (desk.crash === undefined) return;
      const events: Event[] = [];
      for (let round = 0; round < 4; round++) {
        const [one, other] = [desk.history(), desk.history()];
        for (const window of [one, other, one]) {
          const { seen } = await window.look();
          const event = startedExample(events.length);
          strictEqual((await window.append(seen, [event])).status, "recorded");
          events.push(event);
        }
        await desk.crash();
        const { seen, desk: reopened, found, warnings } = await desk.history().look();
        deepStrictEqual([seen, found.kind, warnings], [events.length, "current", []]);
        deepStrictEqual(reopened, replay(events));
        deepStrictEqual(await desk.history().events(), events);
      }
    },
  ],
  [
    "while nothing can be written the work goes on in memory with both warnings, and is written in order as soon as it can be",
    async (desk) => {
      if (desk.breakWriting === undefined) return;
      const history = desk.history();
      await history.append(0, [startedExample(0)]);
      const mend = desk.breakWriting();
      const held = [completedExample(0), startedExample(1), completedExample(1)];
      for (const [index, event] of held.entries()) {
        const { status, warnings } = await history.append(index + 1, [event]);
        deepStrictEqual([status, warnings], ["held", unsaved]);
        deepStrictEqual((await history.look()).desk, replay([startedExample(0), ...held.slice(0, index + 1)]));
      }
      strictEqual((await history.append(1, [startedExample(9)])).status, "behind");
      mend();
      deepStrictEqual((await history.look()).warnings, []);
      for (const window of [history, desk.history()])
        deepStrictEqual(await window.events(), [startedExample(0), ...held]);
      strictEqual((await history.append(4, [startedExample(2)])).status, "recorded");
    },
  ],
  [
    "what was held is decided anew: what another window made impossible is reported and not recorded",
    async (desk) => {
      const history = await holdingBack(desk, startedExample(5));
      if (history === undefined) return;
      const { warnings, seen } = await history.look();
      ok(warnings.some((warning) => warning.startsWith("Conflict:") && warning.includes("completed discovery.step_0")));
      strictEqual(seen, 2);
      deepStrictEqual((await history.look()).warnings, []);
      deepStrictEqual(await history.events(), [startedExample(0), startedExample(5)]);
    },
  ],
  [
    "what was held is decided anew: what nobody else touched is recorded after what they did",
    async (desk) => {
      const history = await holdingBack(desk, elsewhere(5));
      if (history === undefined) return;
      deepStrictEqual((await history.look()).warnings, []);
      for (const window of [history, desk.history()])
        deepStrictEqual(await window.events(), [startedExample(0), elsewhere(5), completedExample(0)]);
    },
  ],
  [
    "a strict history refuses what cannot be recorded, and nothing of it counts",
    async (desk) => {
      if (desk.breakWriting === undefined || desk.strictHistory === undefined) return;
      const history = desk.strictHistory();
      await history.append(0, [startedExample(0)]);
      const mend = desk.breakWriting();
      deepStrictEqual(await history.append(1, [completedExample(0)]), { status: "failed", warnings: unsaved });
      mend();
      for (const window of [history, desk.history()]) deepStrictEqual(await window.events(), [startedExample(0)]);
      strictEqual((await history.append(1, [completedExample(0)])).status, "recorded");
    },
  ],
];

const unsaved = [
  "Unable to save workflow state. Progress may not be preserved.",
  "Unable to log activity. Audit trail may be incomplete.",
];
