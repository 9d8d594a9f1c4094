import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { emptyDesk } from "../workflow/desk.ts";
import { untilChecked } from "./checks.ts";
import { partsWith } from "./engine-parts.testing.ts";
import type { Reply } from "./reply.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("whoever has waited for checks is told how they stand now, not how they stood at first", async () => {
  const parts = partsWith(memoryStore());
  const checks = {
    look: async () => [],
    stale: async () => [],
    ended: async (_: unknown, ms: number) => {
      vi.advanceTimersByTime(ms);
      return false;
    },
    close: () => undefined,
  };
  const ref = { workflow: "shape", pass: 1, step: "build", attempt: 1 };
  const attempt = async (): Promise<Reply> => {
    const summary = `seen after ${Math.round(performance.now() - began)} ms`;
    const standing = { name: "tests", status: "running", definition: "", summary } as const;
    const outcome = { kind: "checking", ref, handed: {}, checks: [standing] } as const;
    return { id: parts.id, outcome, desk: emptyDesk, shown: null, warnings: [] };
  };
  const began = performance.now();
  const { outcome } = await untilChecked({ ...parts, checks }, { id: "a" }, attempt);
  expect(outcome).toMatchObject({ kind: "checking", checks: [{ summary: "seen after 20000 ms" }] });
});
