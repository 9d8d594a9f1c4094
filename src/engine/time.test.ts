import { expect, test } from "vitest";
import type { Gate } from "../gates/gate.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { createEngine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";

const assistant = { id: "assistant" };

/** A step that waits for a person for ten seconds, and a clock that can be set. */
function bench() {
  const store = memoryStore(new Map());
  const deps = engineDepsWith(store);
  let now = Date.parse(at(0));
  const gate: Gate = {
    requirements: [],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: true,
    approvalNeeds: { level: "elicited", count: 1, expires: 10 },
  };
  const engine = createEngine({
    ...deps,
    clock: () => new Date(now),
    definitions: {
      ...deps.definitions,
      plan: async (history) => {
        const reading = await deps.definitions.plan(history);
        const steps = [
          { name: "one", auto: false, gate },
          { name: "two", auto: true },
        ];
        return { ...reading, plan: { ...reading.plan, workflows: [{ name: "shape", steps }] } };
      },
    },
  });
  const times = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const { events } of store.log.records(deps.id)) all.push(...events.map(({ at }) => at));
    return all;
  };
  return { engine, store, deps, times, set: (seconds: number) => (now = Date.parse(at(seconds))) };
}

// Attack (file tools): Date a record before the one it follows, or more than five minutes ahead
// Attack (file tools): Use an approval that has expired, or make it last longer
test("a clock that is set back gives no record an earlier time, and brings no expired approval back", async () => {
  const { engine, store, deps, times, set } = bench();
  await engine.open(assistant, {});
  await engine.complete(assistant, { outputs: { a: 1 } });
  const [waiting] = await engine.submissions();
  if (waiting?.waits === undefined) throw new Error("Nothing is waiting.");
  const { ref, waits } = waiting;
  const stamp = { at: at(0), by: "terminal" };
  const approved = {
    type: "approved",
    ...stamp,
    ...ref,
    digest: waits.digest,
    level: "elicited",
    expires: at(10),
  } as const;
  await store.log.append(deps.id, (await times()).length, [approved], { onFault: "refuse" });
  set(25);
  await engine.open({ id: "other" }, { resume: "continue" });
  set(0);
  expect((await engine.complete(assistant, { outputs: { a: 1 } })).outcome.kind).toBe("awaiting");
  await engine.open({ id: "third" }, { resume: "continue" });
  const recorded = await times();
  expect(recorded).toEqual([...recorded].sort());
  expect(recorded.at(-1)).toBe(at(25));
});

test("what another writer records while a view is brought up to date is not followed by an earlier time", async () => {
  const { engine, store, deps, times, set } = bench();
  await engine.open(assistant, {});
  const window = createEngine({
    ...deps,
    clock: () => new Date(at(5)),
    views: {
      ...store.views,
      compare: async () => ({ found: { kind: "behind" }, warnings: [] }),
      repair: async () => {
        set(6);
        await engine.open({ id: "quick" }, { resume: "retry" });
        return [];
      },
    },
  });
  await window.open({ id: "slow" }, { resume: "retry" });
  const recorded = await times();
  expect(recorded.at(-1)).toBe(at(6));
  expect(recorded).toEqual([...recorded].sort());
});

const at = (seconds: number): string => new Date(Date.parse("2026-01-01T12:00:00.000Z") + seconds * 1000).toISOString();
