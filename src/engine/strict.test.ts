import { expect, it } from "vitest";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { createEngine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";
import type { EventLog } from "./ports/event-log.ts";

const unsaved = "Unable to save workflow state. Progress may not be preserved.";

/** A history that can be made to fail. */
function failing() {
  const store = memoryStore();
  let isFailing = false;
  const log: EventLog = {
    ...store.log,
    append: async (id, seen, events, how) => {
      expect(how.onFault).toBe("refuse");
      return isFailing && events.length > 0
        ? { status: "failed", warnings: [unsaved] }
        : store.log.append(id, seen, events, how);
    },
  };
  return {
    store: { ...store, log },
    fail(now: boolean) {
      isFailing = now;
    },
  };
}

it("where a strict history cannot record, nothing is started, shown or completed; and the work continues once it can", async () => {
  const { store, fail } = failing();
  const engine = createEngine(engineDepsWith(store));
  const session = { id: "a" };
  fail(true);
  const opening = await engine.open(session, {});
  expect(opening).toMatchObject({ outcome: { kind: "refused", refusal: { kind: "not_recorded" } }, shown: null });
  expect(opening.warnings).toContain(unsaved);
  fail(false);
  expect((await engine.open(session, {})).outcome.kind).toBe("opened");
  fail(true);
  const completing = await engine.complete(session, {});
  expect(completing.outcome).toMatchObject({ kind: "refused", refusal: { kind: "not_recorded" } });
  const ahead = await engine.open(session, { step: "two" });
  expect(ahead.outcome).toMatchObject({ kind: "refused", refusal: { kind: "ahead" } });
  fail(false);
  expect((await engine.complete(session, {})).outcome.kind).toBe("completed");
});
