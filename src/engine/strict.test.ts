import { expect, it } from "vitest";
import { memoryHistories } from "../stores/memory.ts";
import { memoryContentKeeper } from "../stores/memory-content.ts";
import { createEngine, type EngineParts } from "./engine.ts";
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

function partsWith(history: History): EngineParts {
  const plan = {
    name: "bot",
    workflows: [{ name: "shape", steps: ["one", "two"].map((name) => ({ name, auto: true })) }],
    independent: [],
    ordered: false,
  };
  return {
    definitions: {
      plan: () => ({ plan, settings: { externalEdits: "obey", strict: true }, warnings: [] }),
      present: ({ step }) => ({ text: `content of ${step}`, warnings: [] }),
      checksRules: () => false,
      rules: () => ({ rules: [], warnings: [] }),
      keepsCorrections: () => false,
      readCorrection: () => undefined,
      keepCorrection: () => ({ refused: "" }),
    },
    history,
    content: memoryContentKeeper(new Map()),
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
}

it("where a strict history cannot record, nothing is started, shown or completed; and the work goes on once it can", async () => {
  const { history, fail } = failing();
  const engine = createEngine(partsWith(history));
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
