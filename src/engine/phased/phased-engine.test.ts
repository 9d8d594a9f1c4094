import { describe, expect, it } from "vitest";
import { memoryContentKeeper } from "../../stores/memory-content.ts";
import { memoryPins, memorySessions } from "../../stores/memory-sessions.ts";
import type { Gate, Requirement } from "../../workflow/gate.ts";
import type { JsonObject } from "../../workflow/json.ts";
import type { Outcome } from "../../workflow/outcome.ts";
import type { Phase, PhasedReading, PhasedWorkflow } from "../phased-ports.ts";
import type { Ask } from "../reply.ts";
import { type Connection, createPhasedEngine, type PhasedEngine, type PhasedParts } from "./phased-engine.ts";

function required(field: string, type: Requirement["type"]): Requirement {
  return { field, type, required: true, description: `the ${field}`, rules: [] };
}

function gate(requirements: readonly Requirement[], more: Partial<Gate> = {}): Gate {
  return { requirements, comparisons: [], examples: {}, rulesHold: false, approval: false, ...more };
}

function phase(number: number, more: Partial<Phase> = {}): Phase {
  return {
    number,
    name: `SECRET name ${number}`,
    content: `SECRET content of phase ${number}`,
    sources: [`phases/${number}/phase.md`],
    tasks: [{ number: 0, name: "first", content: `SECRET task 0 of phase ${number}`, source: "task-0.md" }],
    gate: gate([required(`proof_${number}`, "integer")]),
    ...more,
  };
}

function workflow(phases: readonly Phase[], hash = "h1"): PhasedWorkflow {
  return { type: "survey", title: "Survey", description: "", phases, hash };
}

type Bench = { engine: PhasedEngine; caller: Connection; change(reading: PhasedReading): void; parts: PhasedParts };

function bench(reading: PhasedReading = { workflow: workflow([phase(1), phase(2), phase(3)]) }): Bench {
  let now = reading;
  const parts: PhasedParts = {
    definitions: async () => ({
      isQuiet: async () => false,
      read: (type) => (type === "survey" ? now : { unknown: true }),
    }),
    workflows: () => [{ type: "survey", title: "Survey", description: "" }],
    projectArea: "/project",
    store: memorySessions(),
    pins: memoryPins(),
    content: memoryContentKeeper(new Map()),
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
  return {
    engine: createPhasedEngine(parts),
    caller: connection("one"),
    parts,
    change(reading) {
      now = reading;
    },
  };
}

function connection(id: string): Connection {
  return { id, unanswered: new Set() };
}

async function started({ engine, caller }: Bench): Promise<string> {
  const { session } = await engine.start(caller, { workflow_type: "survey", target_file: "a.ts" });
  if (session === null) throw new Error("no session");
  return session.session_id;
}

function codeOf(outcome: Outcome): string | undefined {
  return outcome.kind === "refused" ? outcome.refusal.error : undefined;
}

const proof = (number: number): JsonObject => ({ [`proof_${number}`]: number });

describe("phased sessions", () => {
  it("starting opens the first phase, with its content and nothing of a later one", async () => {
    const { engine, caller } = bench();
    const reply = await engine.start(caller, { workflow_type: "survey" });
    expect(reply.phase?.content).toBe("SECRET content of phase 1");
    expect(reply.session).toMatchObject({ current_phase: 1, total_phases: 3, completed_phases: [] });
    expect(JSON.stringify(reply)).not.toMatch(/phase 2|proof_2|name 2/);
  });

  it("the same workflow, target and options resume one session, however the target is written", async () => {
    const desk = bench();
    const session = await started(desk);
    const again = await desk.engine.start(connection("two"), {
      workflow_type: "survey",
      target_file: "/project/./a.ts",
    });
    expect([again.session?.session_id, again.resumed]).toEqual([session, true]);
    const other = await desk.engine.start(desk.caller, { workflow_type: "survey", target_file: "b.ts" });
    expect(other.session?.session_id).not.toBe(session);
    const options = await desk.engine.start(desk.caller, {
      workflow_type: "survey",
      target_file: "a.ts",
      options: { deep: true },
    });
    expect(options.session?.session_id).not.toBe(session);
  });

  it("two simultaneous starts give one session", async () => {
    const desk = bench();
    const replies = await Promise.all(
      ["a", "b", "c"].map((id) => desk.engine.start(connection(id), { workflow_type: "survey", target_file: "x" })),
    );
    expect(new Set(replies.map(({ session }) => session?.session_id)).size).toBe(1);
    expect(replies.filter(({ resumed }) => resumed !== true)).toHaveLength(1);
  });

  it("a phase ahead cannot be read, and the attempt is on record", async () => {
    const desk = bench();
    const session_id = await started(desk);
    for (const requested_phase of [2, 3, 99, -1, 0]) {
      const reply = await desk.engine.read(desk.caller, { session_id, requested_phase });
      expect(codeOf(reply.outcome)).toBe("phase_sequence_violation");
      expect(reply.phase?.number).toBe(1);
      expect(JSON.stringify(reply)).not.toMatch(/SECRET \w+ of phase [23]|SECRET name|proof_2/);
    }
    const events = await desk.engine.events(session_id);
    expect(events.filter(({ type }) => type === "refused")).toHaveLength(5);
  });

  it("complete evidence passes the gate and opens the next phase in the same record", async () => {
    const desk = bench();
    const session_id = await started(desk);
    const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: proof(1) });
    expect(reply.outcome.kind).toBe("completed");
    expect(reply.phase?.number).toBe(2);
    expect(reply.session).toMatchObject({ current_phase: 2, completed_phases: [1], checkpoints: { 1: "passed" } });
    expect((await desk.parts.store.open(session_id).look()).seen).toBe(2);
  });

  it("incomplete evidence leaves the session where it is, and adds nothing to the next attempt", async () => {
    const desk = bench({
      workflow: workflow([phase(1, { gate: gate([required("a", "string"), required("b", "string")]) })]),
    });
    const session_id = await started(desk);
    const first = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: { a: "x" } });
    expect(codeOf(first.outcome)).toBe("incomplete_checkpoint");
    expect(first.session).toMatchObject({ current_phase: 1, completed_phases: [], checkpoints: { 1: "failed" } });
    const second = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: { b: "x" } });
    expect(second.outcome).toMatchObject({ refusal: { missing_evidence: [expect.stringMatching(/^a \(required: /)] } });
  });

  it("a phase ahead cannot be completed, whatever the evidence", async () => {
    const desk = bench();
    const session_id = await started(desk);
    const reply = await desk.engine.complete(desk.caller, { session_id, phase: 2, evidence: proof(2) });
    expect(codeOf(reply.outcome)).toBe("phase_sequence_violation");
    expect(reply.session?.current_phase).toBe(1);
  });

  it("of two that complete one phase, the second gets a conflict; the same call of the same caller gets its answer again", async () => {
    const desk = bench();
    const session_id = await started(desk);
    const request = { session_id, phase: 1, evidence: proof(1) };
    const [one, two] = await Promise.all([
      desk.engine.complete(desk.caller, request),
      desk.engine.complete(connection("two"), request),
    ]);
    expect([one.outcome.kind, codeOf(two.outcome)]).toEqual(["completed", "conflict"]);
    const again = await desk.engine.complete(desk.caller, request);
    expect([again.outcome.kind, again.phase?.number]).toEqual(["completed", 2]);
  });

  it("after the last phase the workflow is complete, and its phases can be reviewed without artifacts", async () => {
    const desk = bench();
    const session_id = await started(desk);
    for (const number of [1, 2, 3])
      await desk.engine.complete(desk.caller, { session_id, phase: number, evidence: proof(number) });
    const found = await desk.engine.view(session_id);
    expect(found?.view).toMatchObject({ current_phase: 3, workflow_complete: true, completed_phases: [1, 2, 3] });
    const review = await desk.engine.read(desk.caller, { session_id, requested_phase: 2 });
    expect([review.outcome.kind, review.phase?.number]).toEqual(["review", 2]);
    const anew = await desk.engine.start(desk.caller, { workflow_type: "survey", target_file: "a.ts" });
    expect(anew.session?.session_id).not.toBe(session_id);
  });

  it("a session keeps the definition it began with, and says when the files have changed", async () => {
    const desk = bench();
    const session_id = await started(desk);
    desk.change({ workflow: workflow([phase(1, { gate: gate([]) }), phase(2)], "h2") });
    const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: {} });
    expect(codeOf(reply.outcome)).toBe("incomplete_checkpoint");
    expect(reply.warnings.join()).toMatch(/has changed since this session began/);
    desk.change({ problem: { file: "workflows/survey", message: "broken" } });
    expect((await desk.engine.read(desk.caller, { session_id })).phase?.number).toBe(1);
  });

  it("a gate that cannot be read stays closed", async () => {
    const closed = { file: "gate-definition.yaml", message: "not understood" };
    const desk = bench({ workflow: workflow([phase(1, { gate: gate([], { closed }) })]) });
    const session_id = await started(desk);
    const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: {} });
    expect(codeOf(reply.outcome)).toBe("invalid_definition");
  });

  it("an archived session takes no evidence, and the next start begins anew", async () => {
    const desk = bench();
    const session_id = await started(desk);
    await desk.engine.archive(connection("person"), session_id, "abandoned");
    const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: proof(1) });
    expect(codeOf(reply.outcome)).toBe("conflict");
    expect(await started(desk)).not.toBe(session_id);
  });

  it("a task is read by its number, 0 among them; an unknown one is refused", async () => {
    const desk = bench();
    const session_id = await started(desk);
    expect((await desk.engine.read(desk.caller, { session_id, task: 0 })).phase?.content).toBe(
      "SECRET task 0 of phase 1",
    );
    expect(codeOf((await desk.engine.read(desk.caller, { session_id, task: 7 })).outcome)).toBe("invalid_input");
    const ahead = await desk.engine.read(desk.caller, { session_id, requested_phase: 2, task: 0 });
    expect(codeOf(ahead.outcome)).toBe("phase_sequence_violation");
  });

  it.each(["unknown", "session-1", "__proto__", "../../etc/passwd", ""])(
    "there is no session %j",
    async (session_id) => {
      const { engine, caller } = bench();
      expect(codeOf((await engine.read(caller, { session_id })).outcome)).toBe("session_not_found");
      expect(codeOf((await engine.complete(caller, { session_id, phase: 1 })).outcome)).toBe("session_not_found");
      expect(await engine.view(session_id)).toBeNull();
    },
  );

  it("an unknown workflow and one whose definition is broken do not start", async () => {
    const desk = bench({ problem: { file: "workflows/survey/phases/2", message: "a gate is broken" } });
    expect(codeOf((await desk.engine.start(desk.caller, { workflow_type: "nothing" })).outcome)).toBe(
      "unknown_workflow",
    );
    expect(codeOf((await desk.engine.start(desk.caller, { workflow_type: "survey" })).outcome)).toBe(
      "invalid_definition",
    );
    expect(await desk.engine.ids()).toEqual([]);
  });

  describe("a gate that asks for approval", () => {
    const approved = {
      workflow: workflow([phase(1, { gate: gate([required("a", "string")], { approval: true }) }), phase(2)]),
    };
    const evidence = { a: "x" };

    it("waits for a person: nothing is advanced, and what was handed in is kept", async () => {
      const desk = bench(approved);
      const session_id = await started(desk);
      const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence });
      expect([reply.outcome.kind, reply.session?.current_phase]).toEqual(["awaiting", 1]);
      const passed = await desk.engine.complete(desk.caller, { session_id, phase: 1, confirmation: "yes, go on" });
      expect([passed.outcome.kind, passed.session?.current_phase]).toEqual(["completed", 2]);
      const completed = (await desk.engine.events(session_id)).find(({ type }) => type === "completed");
      expect(completed).toMatchObject({ word: { level: "relayed", text: "yes, go on" } });
    });

    it("a client that can ask is asked: accept completes, decline is a no", async () => {
      for (const [kind, expected] of [
        ["accepted", "completed"],
        ["declined", "refused"],
        ["none", "awaiting"],
      ] as const) {
        const desk = bench(approved);
        const session_id = await started(desk);
        const ask: Ask = async () => ({ kind });
        const reply = await desk.engine.complete(
          desk.caller,
          { session_id, phase: 1, evidence, confirmation: "ok" },
          ask,
        );
        expect(reply.outcome.kind).toBe(expected);
        if (kind === "declined") expect(codeOf(reply.outcome)).toBe("approval_rejected");
      }
    });

    it("nobody is asked before the evidence is complete", async () => {
      const desk = bench(approved);
      const session_id = await started(desk);
      let asked = 0;
      const ask: Ask = async () => {
        asked += 1;
        return { kind: "accepted" };
      };
      const reply = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence: {} }, ask);
      expect([codeOf(reply.outcome), asked]).toEqual(["incomplete_checkpoint", 0]);
    });
  });

  it("what a phase proved and produced is there for every later one, commands apart from outputs", async () => {
    const requirements = [required("function_count", "integer"), required("ast_command_output", "string")];
    const desk = bench({ workflow: workflow([phase(1, { gate: gate(requirements) }), phase(2)]) });
    const session_id = await started(desk);
    const evidence = { function_count: 3, ast_command_output: "def a()" };
    const outputs = { notes: "fine", commands_executed: ["grep def"] };
    const { session } = await desk.engine.complete(desk.caller, { session_id, phase: 1, evidence, outputs });
    expect(session?.phase_artifacts[1]).toMatchObject({
      phase_number: 1,
      evidence,
      outputs: { function_count: 3, notes: "fine" },
      commands_executed: [{ ast_command_output: "def a()" }, "grep def"],
    });
  });
});
