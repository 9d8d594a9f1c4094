import { deepStrictEqual, strictEqual } from "node:assert";
import type { SessionStore } from "../engine/phased-ports.ts";
import type { Event } from "../workflow/events.ts";

/** A fresh place for sessions: `store` opens another window on it each time. */
export type OpenedSessions = { store(): SessionStore; dispose(): Promise<void> | void };

/** One rule that every session store keeps; `run` rejects where a store breaks it. Works with any test runner. */
export type SessionRule = { readonly title: string; run(open: () => Promise<OpenedSessions>): Promise<void> };

/** The rules of a session store. A store that passes them all can stand in for any other. */
export function sessionStoreContract(): readonly SessionRule[] {
  return rules.map(([title, check]) => ({
    title,
    async run(open) {
      const sessions = await open();
      try {
        await check(sessions);
      } finally {
        await sessions.dispose();
      }
    },
  }));
}

const stamp = { at: "2026-01-01T00:00:00.000Z", by: "window" };
const began: readonly Event[] = [
  {
    type: "session_began",
    ...stamp,
    workflow: "survey",
    target: null,
    options: {},
    definition: "d".repeat(64),
    first: 1,
    total: 2,
  },
  { type: "started", ...stamp, workflow: "survey", pass: 1, step: "1", attempt: 1, successor: "2" },
];
const refused: Event = { type: "refused", ...stamp, workflow: "survey", step: "2", code: "phase_sequence_violation" };

const rules: readonly (readonly [string, (sessions: OpenedSessions) => Promise<void>])[] = [
  [
    "a session that nobody began is not listed, not there, and has no records",
    async ({ store }) => {
      const opened = store();
      strictEqual((await opened.open("survey-1").look()).seen, 0);
      deepStrictEqual([await opened.ids(), await opened.has("survey-1")], [[], false]);
    },
  ],
  [
    "what one window records, every window sees",
    async ({ store }) => {
      const [one, other] = [store(), store()];
      await other.open("survey-1").look();
      strictEqual((await one.open("survey-1").append(0, began)).status, "recorded");
      for (const window of [one, other, store()]) {
        const { seen, desk } = await window.open("survey-1").look();
        deepStrictEqual([seen, desk.session?.workflow], [1, "survey"]);
        deepStrictEqual([await window.ids(), await window.has("survey-1")], [["survey-1"], true]);
        deepStrictEqual(await window.open("survey-1").events(), began);
      }
    },
  ],
  [
    "of two that begin one session, exactly one has; nothing of the other counts",
    async ({ store }) => {
      const windows = Array.from({ length: 6 }, () => store().open("survey-1"));
      const appended = await Promise.all(windows.map((window) => window.append(0, began)));
      deepStrictEqual(
        appended.map(({ status }) => status).sort(),
        [...Array<string>(5).fill("behind"), "recorded"].sort(),
      );
      deepStrictEqual(await store().open("survey-1").events(), began);
    },
  ],
  [
    "a late writer is told that it is behind",
    async ({ store }) => {
      const [one, late] = [store().open("survey-1"), store().open("survey-1")];
      await one.append(0, began);
      const { seen } = await late.look();
      await one.append(1, [refused]);
      strictEqual((await late.append(seen, [refused])).status, "behind");
      strictEqual((await late.append((await late.look()).seen, [refused])).status, "recorded");
      strictEqual((await one.events()).length, 4);
    },
  ],
  [
    "sessions are apart from each other",
    async ({ store }) => {
      const opened = store();
      await opened.open("survey-1").append(0, began);
      strictEqual((await opened.open("survey-2").look()).seen, 0);
      await opened.open("survey-2").append(0, began);
      deepStrictEqual(await store().ids(), ["survey-1", "survey-2"]);
    },
  ],
];
