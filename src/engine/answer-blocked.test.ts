import { describe, expect, test } from "vitest";
import type { ApprovalRule } from "../gates/approval-rule.ts";
import type { Gate } from "../gates/gate.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Event } from "../workflow/events.ts";
import type { CallerContext } from "./caller.ts";
import { createEngine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";

const assistant: CallerContext = { id: "assistant", client: "a host" };
const terminal: CallerContext = { id: "terminal", client: "waymark" };
const needed = (field: string) => ({ field, type: "boolean", required: true, description: field, rules: [] }) as const;

/** A bot whose first step asks for two proofs and its second for nothing; `needs`: the approval of the first. */
function bench(needs?: ApprovalRule) {
  const store = memoryStore(new Map());
  const parts = engineDepsWith(store);
  const gate: Gate = {
    requirements: [needed("reproduced"), needed("tested")],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: needs !== undefined,
    ...(needs === undefined ? {} : { approvalNeeds: needs }),
  };
  const engine = createEngine({
    ...parts,
    definitions: {
      ...parts.definitions,
      plan: async (history) => {
        const reading = await parts.definitions.plan(history);
        const steps = [
          { name: "one", auto: true, gate },
          { name: "two", auto: true },
        ];
        return { ...reading, plan: { ...reading.plan, workflows: [{ name: "shape", steps }] } };
      },
    },
  });
  const events = async (): Promise<readonly Event[]> => {
    const all: Event[] = [];
    for await (const record of store.log.records(parts.id)) all.push(...record.events);
    return all;
  };
  const review = async () => {
    const [found] = await engine.openSteps();
    if (found === undefined) throw new Error("Nothing is open.");
    return found;
  };
  return {
    engine,
    events,
    review,
    complete: (request: Parameters<typeof engine.complete>[1]) => engine.complete(assistant, request),
    answer: async (text: string) => engine.respond(terminal, { ref: (await review()).ref, text }),
    waive: async (fields: readonly string[], reason = "no device here") =>
      engine.respond(terminal, { ref: (await review()).ref, text: reason, fields }),
  };
}

async function opened(needs?: ApprovalRule) {
  const stream = bench(needs);
  await stream.engine.open(assistant, {});
  return stream;
}

describe("a step that cannot be done as asked", () => {
  test("is reported with its reason: nothing completes, what was submitted is kept, and the last reason counts", async () => {
    const stream = await opened();
    const first = await stream.complete({ blocked: "no device", outputs: { tried: 3 } });
    expect(first.outcome).toMatchObject({ kind: "blocked", reason: "no device", submitted: { outputs: { tried: 3 } } });
    await stream.complete({ blocked: "no device at all" });
    const { state } = await stream.review();
    expect(state).toMatchObject({ blocked: { reason: "no device at all", client: "a host" }, status: "started" });
    expect(state.submitted).toEqual({ outputs: { tried: 3 } });
    const before = (await stream.events()).length;
    await stream.complete({ blocked: "no device at all" });
    expect(await stream.events()).toHaveLength(before);
  });

  test("is not reported with an empty or a very long reason", async () => {
    const stream = await opened();
    for (const blocked of ["", "  ", "x".repeat(2001)])
      expect((await stream.complete({ blocked })).outcome).toMatchObject({
        kind: "refused",
        refusal: { kind: "invalid_input" },
      });
    expect((await stream.review()).state.blocked).toBeUndefined();
  });

  test("stays blocked when a later submission is refused, and is withdrawn by one that passes", async () => {
    const stream = await opened({ level: "relayed", count: 1 });
    await stream.complete({ blocked: "no device" });
    await stream.complete({ evidence: { reproduced: true } });
    expect((await stream.review()).state.blocked?.reason).toBe("no device");
    const passed = await stream.complete({ evidence: { reproduced: true, tested: true } });
    expect(passed.outcome.kind).toBe("awaiting");
    expect((await stream.review()).state.blocked).toBeUndefined();
  });

  test("takes a submission back that was waiting for approval", async () => {
    const stream = await opened({ level: "relayed", count: 1 });
    const evidence = { reproduced: true, tested: true };
    const waiting = await stream.complete({ evidence });
    if (waiting.outcome.kind !== "awaiting") throw new Error("It does not wait.");
    const { ref, digest } = waiting.outcome;
    await stream.complete({ blocked: "that was wrong" });
    const late = await stream.engine.answer(terminal, { ref, digest, decision: "approve" });
    expect(late.outcome).toMatchObject({ kind: "refused", refusal: { kind: "other_submission" } });
  });

  test("is open again with a person's answer, which holds until the next report", async () => {
    const stream = await opened();
    await stream.complete({ blocked: "no device" });
    expect((await stream.answer("use the emulator")).outcome.kind).toBe("unblocked");
    const { state } = await stream.review();
    expect(state).toMatchObject({ answer: { text: "use the emulator", by: "a person at a terminal" } });
    expect(state.blocked).toBeUndefined();
    expect((await stream.answer("again")).outcome).toMatchObject({ refusal: { kind: "not_blocked" } });
    await stream.complete({ blocked: "no emulator" });
    expect((await stream.review()).state.answer).toBeUndefined();
  });
});

describe("a waiver", () => {
  test("counts for its attempt: the field is not asked for, the completion says who and why", async () => {
    const stream = await opened();
    await stream.complete({ blocked: "no device" });
    await stream.waive(["reproduced"]);
    const shown = await stream.engine.open(assistant, {});
    expect(shown.shown?.gate?.requirements.map(({ field }) => field)).toEqual(["tested"]);
    const done = await stream.complete({ evidence: { tested: true } });
    expect(done.outcome.kind).toBe("completed");
    const completed = (await stream.events()).findLast(({ type }) => type === "completed");
    expect(completed).toMatchObject({
      waived: [{ field: "reproduced", reason: "no device here", by: "a person at a terminal" }],
    });
    await stream.engine.open(assistant, { step: "one", resume: "retry" });
    const again = await stream.complete({ evidence: { tested: true } });
    expect(again.outcome).toMatchObject({ kind: "refused", refusal: { kind: "gaps" } });
  });

  test("changes what a person approves: the same submission has another digest", async () => {
    const stream = await opened({ level: "relayed", count: 1 });
    const digestOf = async (): Promise<string> => {
      const { outcome } = await stream.complete({ evidence: { reproduced: true, tested: true } });
      if (outcome.kind !== "awaiting") throw new Error("It does not wait.");
      return outcome.digest;
    };
    const before = await digestOf();
    await stream.waive(["reproduced"]);
    expect((await stream.review()).state.waiting).toBeUndefined();
    expect(await digestOf()).not.toBe(before);
  });

  test("names what the step requires, or is refused with what it does require", async () => {
    const stream = await opened();
    expect((await stream.waive(["coverage"])).outcome).toMatchObject({
      refusal: { kind: "invalid_input", message: expect.stringContaining("reproduced, tested") },
    });
    expect((await stream.waive([])).outcome).toMatchObject({ refusal: { kind: "invalid_input" } });
    expect((await stream.waive(["tested"], " ")).outcome).toMatchObject({ refusal: { kind: "invalid_input" } });
  });

  test("without a key is refused where the step needs a proven approval", async () => {
    const stream = await opened({ level: "proven", count: 1 });
    expect((await stream.waive(["tested"])).outcome).toMatchObject({ refusal: { kind: "not_enough", why: "level" } });
    expect((await stream.events()).some(({ type }) => type === "waived")).toBe(false);
  });
});
