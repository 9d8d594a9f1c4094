import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { emptyStream } from "../workflow/stream-snapshot.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";
import type { Reply } from "./reply.ts";
import { retryUntilChecked } from "./step-checks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a caller that waited for checks gets their current state, not the first one", async () => {
  const parts = engineDepsWith(memoryStore());
  const checks = {
    start: async () => [],
    stale: async () => [],
    waitForEnd: async (_: unknown, ms: number) => {
      vi.advanceTimersByTime(ms);
      return false;
    },
    close: () => undefined,
  };
  const ref = { workflow: "shape", pass: 1, step: "build", attempt: 1 };
  const attempt = async (): Promise<Reply> => {
    const summary = `seen after ${Math.round(performance.now() - began)} ms`;
    const status = { name: "tests", status: "running", definition: "", summary } as const;
    const outcome = { kind: "checking", ref, submitted: {}, checks: [status] } as const;
    return { id: parts.id, outcome, stream: emptyStream, shown: null, warnings: [] };
  };
  const began = performance.now();
  const { outcome } = await retryUntilChecked({ ...parts, checks }, { id: "a" }, attempt);
  expect(outcome).toMatchObject({ kind: "checking", checks: [{ summary: "seen after 20000 ms" }] });
});
