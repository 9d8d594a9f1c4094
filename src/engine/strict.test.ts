import { expect, it } from "vitest";
import { memoryHistories } from "../stores/memory.ts";
import { memoryContentKeeper } from "../stores/memory-content.ts";
import { createEngine } from "./engine.ts";
import { partsWith } from "./engine-parts.testing.ts";
import type { History } from "./ports.ts";
import { newSession } from "./session.ts";

const unsaved = "Unable to save workflow state. Progress may not be preserved.";

/** A strict history that can be made to fail. */
function failing(): { history: History; fail(now: boolean): void } {
  const inner = memoryHistories("bot")();
  let isFailing = false;
  return {
    history: {
      ...inner,
      append: async (seen, events) =>
        isFailing && events.length > 0 ? { status: "failed", warnings: [unsaved] } : inner.append(seen, events),
    },
    fail(now) {
      isFailing = now;
    },
  };
}

it("where a strict history cannot record, nothing is started, shown or completed; and the work goes on once it can", async () => {
  const { history, fail } = failing();
  const engine = createEngine(partsWith(history, memoryContentKeeper(new Map())));
  const session = newSession("a");
  fail(true);
  const opening = await engine.open(session, {});
  expect(opening).toMatchObject({ outcome: { kind: "refused", refusal: { error: "conflict" } }, content: "" });
  expect(opening.warnings).toContain(unsaved);
  fail(false);
  expect((await engine.open(session, {})).outcome.kind).toBe("opened");
  fail(true);
  const completing = await engine.complete(session, {});
  expect(completing.outcome).toMatchObject({ kind: "refused", refusal: { error: "conflict" } });
  const ahead = await engine.open(session, { step: "two" });
  expect(ahead.outcome).toMatchObject({ kind: "refused", refusal: { error: "action_sequence_violation" } });
  fail(false);
  expect((await engine.complete(session, {})).outcome.kind).toBe("completed");
});
