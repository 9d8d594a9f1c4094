import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EventLog } from "../../engine/ports/event-log.ts";
import type { ApprovalQuestion } from "../../engine/reply.ts";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import type { Event } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { inboxPages } from "./inbox-pages.ts";

const id: StreamId = { kind: "bot", name: "story_bot" };
const ref = { workflow: "shape", step: "gather_context", pass: 1, attempt: 1 };
const stamp = { at: "2026-01-01T00:00:00.000Z", by: "x" };
const started: Event = { type: "started", ...stamp, ...ref, successor: null };
const declined: Event = { type: "declined", ...stamp, ...ref, digest: "d" };

const how = { onFault: "refuse" } as const;

const asked: ApprovalQuestion = {
  reply: {
    id,
    outcome: {
      kind: "awaiting",
      ref,
      submitted: {},
      digest: "d",
      unanswered: false,
      declined: false,
      needs: { level: "proven", count: 1 },
      given: [],
    },
    stream: emptyStream,
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

test("an unavailable store while a page opens is reported to the caller only", async () => {
  const away = async (): Promise<never> => Promise.reject(new Error("The store is away."));
  const { open } = await pageOver(() => ({ load: away }));
  await expect(open()).rejects.toThrow("The store is away.");
  await setImmediate();
});

test("a new waiter finds an answer recorded since the page was opened", async () => {
  const { open, log } = await pageOver();
  const page = await open();
  await log.append(id, 1, [declined], how);
  await page?.answered();
});

test("an answer recorded while following starts is found", async () => {
  const { open, log } = await pageOver((own) => ({
    // Tells only of what is recorded later, as files do.
    watch: (stream, changed) => {
      void own.append(stream, 1, [declined], how);
      return own.watch(stream, changed);
    },
  }));
  const page = await open();
  await page?.answered();
  expect((await log.load(id)).seen).toBe(2);
});

test("a waiter keeps waiting while the store is unavailable, and gets the answer afterwards", async () => {
  let isAway = true;
  const { open, log } = await pageOver((own) => ({
    async *records(stream, from) {
      if (isAway) throw new Error("The store is away.");
      yield* own.records(stream, from);
    },
  }));
  const page = await open();
  const answered = page?.answered();
  await setImmediate();
  isAway = false;
  await log.append(id, 1, [declined], how);
  await answered;
});
