import { describe, expect, test } from "vitest";
import type { Gate } from "../gates/gate.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Step } from "../workflow/workflow.ts";
import type { CallerContext, PersonAnswer } from "./caller.ts";
import { createEngine, type Engine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";
import type { EventLog } from "./ports/event-log.ts";

const assistant: CallerContext = { id: "assistant" };

/** Two servers over one store; `pauses`: what the first one's next append waits for. */
function replicas(steps: readonly Step[] = ["one", "two"].map((name) => ({ name, auto: true }))) {
  const store = memoryStore(new Map());
  let paused: Promise<void> | undefined;
  const log: EventLog = {
    ...store.log,
    append: async (...args) => {
      const until = paused;
      paused = undefined;
      await until;
      return store.log.append(...args);
    },
  };
  const engineWith = (parts: Pick<typeof store, "log" | "views" | "content">): Engine => {
    const deps = engineDepsWith(parts);
    return createEngine({
      ...deps,
      definitions: {
        ...deps.definitions,
        plan: async (history) => {
          const reading = await deps.definitions.plan(history);
          return { ...reading, plan: { ...reading.plan, workflows: [{ name: "shape", steps }] } };
        },
      },
    });
  };
  const pause = (): (() => void) => {
    let go = (): void => undefined;
    paused = new Promise((resolve) => (go = resolve));
    return go;
  };
  return { slow: engineWith({ ...store, log }), quick: engineWith(store), pause };
}

describe("a server that is paused while it completes a step", () => {
  // Attack (tools): Send a call twice, late, on another connection or to another server, after the next step, a retry, going back or another run was opened
  test("does not complete the next step when it wakes up", async () => {
    const { slow, quick, pause } = replicas();
    await quick.open(assistant, {});
    const wake = pause();
    const late = slow.complete(assistant, {});
    await Promise.resolve();
    expect((await quick.complete(assistant, {})).outcome.kind).toBe("completed");
    expect((await quick.open(assistant, {})).outcome).toMatchObject({ kind: "opened", ref: { step: "two" } });
    wake();
    expect((await late).outcome).toMatchObject({ kind: "completed", ref: { step: "one" } });
    const { stream } = await quick.inspect(assistant);
    expect(stream.runs.get("shape")?.steps.get("two")?.status).toBe("started");
  });

  test("does not complete another attempt at the same step", async () => {
    const { slow, quick, pause } = replicas();
    await quick.open(assistant, {});
    const wake = pause();
    const late = slow.complete(assistant, {});
    await Promise.resolve();
    await quick.open(assistant, { resume: "retry" });
    wake();
    expect((await late).outcome).toMatchObject({ kind: "refused", refusal: { kind: "moved" } });
    const { stream } = await quick.inspect(assistant);
    expect(stream.runs.get("shape")?.steps.get("one")).toMatchObject({ status: "started", attempt: 2 });
  });

  test("judges again what another call has submitted in the meantime", async () => {
    const gate: Gate = {
      requirements: [{ field: "n", type: "integer", required: true, description: "n", rules: [] }],
      comparisons: [],
      examples: {},
      rulesHold: false,
      approval: false,
    };
    const { slow, quick, pause } = replicas([{ name: "one", auto: true, gate }]);
    await quick.open(assistant, {});
    const wake = pause();
    const late = slow.complete(assistant, { evidence: { n: 1 } });
    await Promise.resolve();
    expect((await quick.complete(assistant, { evidence: { n: "no" } })).outcome.kind).toBe("refused");
    wake();
    expect((await late).outcome.kind).toBe("finished");
  });
});

test("a person's yes to one step completes no other that was opened while they read", async () => {
  const { slow, quick } = replicas(["one", "two"].map((name) => ({ name, auto: false })));
  await quick.open(assistant, {});
  let answer = (_: PersonAnswer): void => undefined;
  const asked = new Promise<void>((isAsked) => {
    const ask = (): Promise<PersonAnswer> =>
      new Promise((resolve) => {
        answer = resolve;
        isAsked();
      });
    void slow.complete({ ...assistant, ask }, { outputs: { a: 1 } });
  });
  await asked;
  await quick.complete(assistant, { outputs: { a: 1 }, confirmation: "yes" });
  await quick.open(assistant, {});
  answer({ kind: "yes" });
  await slow.settle();
  const { stream } = await quick.inspect(assistant);
  expect(stream.runs.get("shape")?.steps.get("two")).toMatchObject({ status: "started", submitted: {} });
});
