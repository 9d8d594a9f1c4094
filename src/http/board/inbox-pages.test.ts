import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Asked } from "../../engine/caller.ts";
import type { DeskId, EventLog } from "../../engine/ports.ts";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import { emptyDesk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { inboxPages } from "./inbox-pages.ts";

const id: DeskId = { kind: "bot", name: "story_bot" };
const ref = { workflow: "shape", step: "gather_context", pass: 1, attempt: 1 };
const stamp = { at: "2026-01-01T00:00:00.000Z", by: "x" };
const started: Event = { type: "started", ...stamp, ...ref, successor: null };
const declined: Event = { type: "declined", ...stamp, ...ref, digest: "d" };

const how = { onFault: "refuse" } as const;

const asked: Asked = {
  reply: {
    id,
    outcome: {
      kind: "awaiting",
      ref,
      handed: {},
      digest: "d",
      unanswered: false,
      declined: false,
      needs: { level: "proven", count: 1 },
      given: [],
    },
    desk: emptyDesk,
    shown: null,
    warnings: [],
  },
  key: "k",
  files: [],
};

/** The page for what waits in a history with one record, where `change` may change what is asked of it. */
async function pageOver(change: (log: EventLog) => Partial<EventLog> = () => ({})) {
  const store = memoryStore();
  await store.log.append(id, 0, [started], how);
  const area = { ...store, area: "", log: { ...store.log, ...change(store.log) } };
  const approver = {
    name: "dana",
    key: "",
    public: "",
    enrolled: "",
    kind: "passkey",
    credential: "",
    rpId: "localhost",
  };
  const place = {
    logs: async () => [area],
    candidates: async () => [{ approver: { ...approver, kind: "passkey" as const }, trusted: true }],
  };
  const open = inboxPages("default", place, "http://localhost:1");
  return { open: () => open(asked), log: store.log };
}

test("a store that is away while a page is opened is the caller's fault to hear, and nobody else's", async () => {
  const away = async (): Promise<never> => Promise.reject(new Error("The store is away."));
  const { open } = await pageOver(() => ({ look: away }));
  await expect(open()).rejects.toThrow("The store is away.");
  await setImmediate();
});

test("whoever begins to wait finds an answer that was recorded since the page was opened", async () => {
  const { open, log } = await pageOver();
  const page = await open();
  await log.append(id, 1, [declined], how);
  await page?.answered();
});

test("an answer is found that was recorded while a history began to be followed", async () => {
  const { open, log } = await pageOver((own) => ({
    // Tells only of what is recorded later, as files do.
    follow: (desk, changed) => {
      void own.append(desk, 1, [declined], how);
      return own.follow(desk, changed);
    },
  }));
  const page = await open();
  await page?.answered();
  expect((await log.look(id)).seen).toBe(2);
});

test("whoever waits goes on waiting while the store is away, and hears of the answer afterwards", async () => {
  let isAway = true;
  const { open, log } = await pageOver((own) => ({
    async *records(desk, from) {
      if (isAway) throw new Error("The store is away.");
      yield* own.records(desk, from);
    },
  }));
  const page = await open();
  const answered = page?.answered();
  await setImmediate();
  isAway = false;
  await log.append(id, 1, [declined], how);
  await answered;
});
