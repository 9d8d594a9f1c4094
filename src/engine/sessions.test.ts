import { describe, expect, it } from "vitest";
import type { Phase, PhasedWorkflow } from "../definitions/phases/phased-workflow.ts";
import { sessionDefinitions } from "../definitions/session-definitions.ts";
import type { Gate, Requirement } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import { memoryPins, memoryStore } from "../stores/memory/memory-store.ts";
import type { Store } from "../stores/store.ts";
import { type SessionView, sessionView } from "../words/session-view.ts";
import type { Event } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Answer, Calling } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { PhasedReading } from "./phased-ports.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { openSessions, type Sessions } from "./sessions.ts";

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

type Reading = PhasedReading<PhasedWorkflow>;
type Bench = { sessions: Sessions; caller: Calling; store: Store; change(reading: Reading): void };

function bench(reading: Reading = { workflow: workflow([phase(1), phase(2), phase(3)]) }): Bench {
  let now = reading;
  const store = memoryStore();
  const pins = memoryPins();
  const read = async (type: string): Promise<Reading> => (type === "survey" ? now : { unknown: true });
  const pin = (kept: PhasedWorkflow): Promise<string | undefined> => pins.keep(JSON.stringify(kept));
  const pinned = async (name: string): Promise<PhasedWorkflow | undefined> => {
    const text = await pins.find(name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const parts = {
    ...store,
    checkRules: async () => [],
    observe: async () => new Map(),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
  const sessions = openSessions<PhasedWorkflow>({
    runHere: async () => undefined,
    partsFor: async () => parts,
    definitions: {
      list: async () => [{ type: "survey", title: "Survey", description: "" }],
      read,
      pin: async (kept) => ({ definition: (await pin(kept)) ?? "", first: 1, total: kept.phases.length }),
      forSession: (beginning) => sessionDefinitions({ read, pinned, pin, beginning }),
    },
    projectArea: "/project",
  });
  return {
    sessions,
    caller: { id: "one" },
    store,
    change(reading) {
      now = reading;
    },
  };
}

async function started({ sessions, caller }: Bench): Promise<string> {
  const { desk, id } = await sessions.start(caller, { type: "survey", target: "a.ts" });
  if (desk.session === null) throw new Error("no session");
  return id.name;
}

async function at({ sessions }: Bench, session: string): Promise<Engine> {
  const engine = await sessions.find(session);
  if (engine === undefined) throw new Error("no session");
  return engine;
}

async function complete(desk: Bench, session: string, request: CompleteRequest, caller = desk.caller): Promise<Reply> {
  return (await at(desk, session)).complete(caller, request);
}

async function eventsOf({ store }: Bench, name: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const record of store.log.records({ kind: "session", name })) events.push(...record.events);
  return events;
}

function viewOf({ id, desk }: Pick<Reply, "id" | "desk">): SessionView | null {
  return sessionView(id.name, desk);
}

function codeOf(outcome: Outcome): string | undefined {
  return outcome.kind === "refused" ? outcome.refusal.kind : undefined;
}

const proof = (number: number): JsonObject => ({ [`proof_${number}`]: number });

describe("sessions", () => {
  it("starting opens the first phase, with its content and nothing of a later one", async () => {
    const { sessions, caller } = bench();
    const reply = await sessions.start(caller, { type: "survey" });
    expect(reply.shown?.text).toBe("SECRET content of phase 1");
    expect(viewOf(reply)).toMatchObject({ current_phase: 1, total_phases: 3, completed_phases: [] });
    expect(JSON.stringify([reply, viewOf(reply)])).not.toMatch(/phase 2|proof_2|name 2/);
  });

  it("the same workflow, target and options resume one session, however the target is written", async () => {
    const desk = bench();
    const session = await started(desk);
    const start = (by: string, target: string, options: JsonObject = {}) =>
      desk.sessions.start({ id: by }, { type: "survey", target, options });
    const again = await start("two", "/project/./a.ts");
    expect([again.id.name, again.resumed]).toEqual([session, true]);
    expect((await start("one", "b.ts")).id.name).not.toBe(session);
    const deep = await start("one", "a.ts", { deep: true, how: { a: 1, b: 2 } });
    expect(deep.id.name).not.toBe(session);
    expect((await start("one", "a.ts", { how: { b: 2, a: 1 }, deep: true })).id.name).toBe(deep.id.name);
  });

  it("two simultaneous starts give one session", async () => {
    const { sessions } = bench();
    const replies = await Promise.all(
      ["a", "b", "c"].map((id) => sessions.start({ id }, { type: "survey", target: "x" })),
    );
    expect(new Set(replies.map(({ id }) => id.name)).size).toBe(1);
    expect(replies.filter(({ resumed }) => resumed !== true)).toHaveLength(1);
  });

  it("a phase ahead cannot be read, and the attempt is on record", async () => {
    const desk = bench();
    const session = await started(desk);
    for (const step of ["2", "3", "99", "-1", "0"]) {
      const reply = await (await at(desk, session)).open(desk.caller, { step });
      expect(codeOf(reply.outcome)).toBe("ahead");
      expect(reply.shown?.step).toBe("1");
      expect(JSON.stringify(reply)).not.toMatch(/SECRET \w+ of phase [23]|SECRET name|proof_2/);
    }
    const refused = (await eventsOf(desk, session)).filter(({ type }) => type === "refused");
    expect(refused.map((event) => "code" in event && event.code)).toEqual(
      Array.from({ length: 5 }, () => "phase_sequence_violation"),
    );
  });

  it("complete evidence passes the gate and opens the next phase in the same record", async () => {
    const desk = bench();
    const session = await started(desk);
    const reply = await complete(desk, session, { step: "1", evidence: proof(1) });
    expect(reply.outcome.kind).toBe("completed");
    expect(reply.shown?.step).toBe("2");
    expect(viewOf(reply)).toMatchObject({ current_phase: 2, completed_phases: [1], checkpoints: { 1: "passed" } });
    expect((await desk.store.log.look({ kind: "session", name: session })).seen).toBe(2);
  });

  it("incomplete evidence leaves the session where it is, and adds nothing to the next attempt", async () => {
    const desk = bench({
      workflow: workflow([phase(1, { gate: gate([required("a", "string"), required("b", "string")]) })]),
    });
    const session = await started(desk);
    const first = await complete(desk, session, { step: "1", evidence: { a: "x" } });
    expect(codeOf(first.outcome)).toBe("gaps");
    expect(viewOf(first)).toMatchObject({ current_phase: 1, completed_phases: [], checkpoints: { 1: "failed" } });
    const second = await complete(desk, session, { step: "1", evidence: { b: "x" } });
    expect(second.outcome).toMatchObject({ refusal: { gaps: [expect.objectContaining({ field: "a" })] } });
  });

  it("a phase ahead cannot be completed, whatever the evidence", async () => {
    const desk = bench();
    const session = await started(desk);
    const reply = await complete(desk, session, { step: "2", evidence: proof(2) });
    expect(codeOf(reply.outcome)).toBe("ahead");
    expect(viewOf(reply)?.current_phase).toBe(1);
  });

  it("of two that complete one phase, the second gets a conflict; the same call of the same caller gets its answer again", async () => {
    const desk = bench();
    const session = await started(desk);
    const request = { step: "1", evidence: proof(1) };
    const [one, two] = await Promise.all([
      complete(desk, session, request),
      complete(desk, session, request, { id: "two" }),
    ]);
    expect([one.outcome.kind, codeOf(two.outcome)]).toEqual(["completed", "moved"]);
    const again = await complete(desk, session, request);
    expect([again.outcome.kind, again.shown?.step]).toEqual(["completed", "2"]);
  });

  it("after the last phase the workflow is complete, its phases can be reviewed, and the next start begins anew", async () => {
    const desk = bench();
    const session = await started(desk);
    for (const number of [1, 2, 3]) await complete(desk, session, { step: `${number}`, evidence: proof(number) });
    const engine = await at(desk, session);
    const found = viewOf({ id: engine.id, ...(await engine.look(desk.caller)) });
    expect(found).toMatchObject({ current_phase: 3, workflow_complete: true, completed_phases: [1, 2, 3] });
    const review = await engine.open(desk.caller, { step: "2" });
    expect([review.outcome.kind, review.shown?.step]).toEqual(["review", "2"]);
    expect(await started(desk)).not.toBe(session);
  });

  it("a session keeps the definition it began with, and says when the files have changed", async () => {
    const desk = bench();
    const session = await started(desk);
    desk.change({ workflow: workflow([phase(1, { gate: gate([]) }), phase(2)], "h2") });
    const reply = await complete(desk, session, { step: "1", evidence: {} });
    expect(codeOf(reply.outcome)).toBe("gaps");
    expect(reply.warnings).toEqual([{ kind: "definition_changed", workflow: "survey" }]);
    desk.change({ problem: { code: "gate-wrong-value", file: "workflows/survey", message: "broken" } });
    expect((await (await at(desk, session)).open(desk.caller, {})).shown?.step).toBe("1");
  });

  it("a gate that cannot be read stays closed", async () => {
    const closed = { code: "gate-wrong-value", file: "gate-definition.yaml", message: "not understood" } as const;
    const desk = bench({ workflow: workflow([phase(1, { gate: gate([], { closed }) })]) });
    const session = await started(desk);
    expect(codeOf((await complete(desk, session, { step: "1", evidence: {} })).outcome)).toBe("gate_closed");
  });

  it("an archived session takes no evidence, and the next start begins anew", async () => {
    const desk = bench();
    const session = await started(desk);
    await (await at(desk, session)).archive({ id: "person" }, "abandoned");
    const reply = await complete(desk, session, { step: "1", evidence: proof(1) });
    expect(codeOf(reply.outcome)).toBe("archived");
    expect(await started(desk)).not.toBe(session);
  });

  it("a person who goes back has the phase done again; what was done is superseded and stays on record", async () => {
    const desk = bench();
    const session = await started(desk);
    for (const number of [1, 2]) await complete(desk, session, { step: `${number}`, evidence: proof(number) });
    const engine = await at(desk, session);
    expect((await engine.back({ id: "person" }, { step: "1" })).outcome.kind).toBe("gone_back");
    const reply = await complete(desk, session, { step: "1", evidence: proof(1) });
    expect(viewOf(reply)).toMatchObject({ current_phase: 2, completed_phases: [1] });
    const completed = (await eventsOf(desk, session)).filter(({ type }) => type === "completed");
    expect(completed).toMatchObject([{ step: "1" }, { step: "2" }, { step: "1", attempt: 2 }]);
  });

  it("a part of a phase is read by its name; an unknown one is refused, and one of a later phase as well", async () => {
    const desk = bench();
    const engine = await at(desk, await started(desk));
    expect((await engine.open(desk.caller, { part: "0" })).shown?.text).toBe("SECRET task 0 of phase 1");
    expect(codeOf((await engine.open(desk.caller, { part: "7" })).outcome)).toBe("invalid_input");
    const ahead = await engine.open(desk.caller, { step: "2", part: "0" });
    expect(codeOf(ahead.outcome)).toBe("ahead");
    expect(JSON.stringify(ahead)).not.toContain("of phase 2");
  });

  it.each(["unknown", "session-1", "__proto__", "../../etc/passwd", ""])("there is no session %j", async (session) => {
    const desk = bench();
    await started(desk);
    expect(await desk.sessions.find(session)).toBeUndefined();
  });

  it("an unknown workflow and one whose definition is broken do not start", async () => {
    const { sessions, caller } = bench({
      problem: { code: "gate-wrong-value", file: "workflows/survey/phases/2", message: "a gate is broken" },
    });
    expect(codeOf((await sessions.start(caller, { type: "nothing" })).outcome)).toBe("unknown_workflow");
    expect(codeOf((await sessions.start(caller, { type: "survey" })).outcome)).toBe("invalid_definition");
    expect([await sessions.any(), await sessions.all()]).toEqual([false, []]);
  });

  describe("a gate that asks for approval", () => {
    const approved = {
      workflow: workflow([phase(1, { gate: gate([required("a", "string")], { approval: true }) }), phase(2)]),
    };
    const evidence = { a: "x" };

    it("waits for a person: nothing is advanced, and what was handed in is kept", async () => {
      const desk = bench(approved);
      const session = await started(desk);
      const reply = await complete(desk, session, { step: "1", evidence });
      expect([reply.outcome.kind, viewOf(reply)?.current_phase]).toEqual(["awaiting", 1]);
      const passed = await complete(desk, session, { step: "1", confirmation: "yes, go on" });
      expect([passed.outcome.kind, viewOf(passed)?.current_phase]).toEqual(["completed", 2]);
      const completed = (await eventsOf(desk, session)).find(({ type }) => type === "completed");
      expect(completed).toMatchObject({ evidence, word: { level: "relayed", text: "yes, go on" } });
    });

    it.each([
      ["yes", "completed"],
      ["no", "refused"],
      ["none", "awaiting"],
    ] as const)("a client that can ask is asked: %s is %s, whatever the assistant says", async (kind, expected) => {
      const desk = bench(approved);
      const session = await started(desk);
      const ask = async (): Promise<Answer> => ({ kind });
      const reply = await complete(desk, session, { step: "1", evidence, confirmation: "ok" }, { id: "one", ask });
      expect(reply.outcome.kind).toBe(expected);
      if (kind === "no") expect(codeOf(reply.outcome)).toBe("declined");
    });

    it("nobody is asked before the evidence is complete", async () => {
      const desk = bench(approved);
      const session = await started(desk);
      let asked = 0;
      const ask = async (): Promise<Answer> => {
        asked += 1;
        return { kind: "yes" };
      };
      const reply = await complete(desk, session, { step: "1", evidence: {} }, { id: "one", ask });
      expect([codeOf(reply.outcome), asked]).toEqual(["gaps", 0]);
    });
  });

  it("what a phase proved and produced is there for every later one, commands apart from outputs", async () => {
    const requirements = [required("function_count", "integer"), required("ast_command_output", "string")];
    const desk = bench({ workflow: workflow([phase(1, { gate: gate(requirements) }), phase(2)]) });
    const session = await started(desk);
    const evidence = { function_count: 3, ast_command_output: "def a()" };
    const outputs = { notes: "fine", commands_executed: ["grep def"] };
    const reply = await complete(desk, session, { step: "1", evidence, outputs });
    expect(viewOf(reply)?.phase_artifacts[1]).toMatchObject({
      phase_number: 1,
      evidence,
      outputs: { function_count: 3, notes: "fine" },
      commands_executed: [{ ast_command_output: "def a()" }, "grep def"],
    });
  });
});
