import { describe, expect, it } from "vitest";
import type { Phase, PhasedWorkflow } from "../definitions/phases/phased-workflow.ts";
import { sessionDefinitions } from "../definitions/session-definitions.ts";
import type { Gate, Requirement } from "../gates/gate.ts";
import type { JsonObject } from "../kit/json.ts";
import { memoryPins, memoryStore } from "../stores/memory/memory-store.ts";
import type { Store } from "../stores/store.ts";
import type { Event } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { type SessionView, sessionView } from "../workflow/session-view.ts";
import type { CallerContext, PersonAnswer } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { PhasedWorkflowReading } from "./ports/phased.ts";
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

type Reading = PhasedWorkflowReading<PhasedWorkflow>;
type Bench = { sessions: Sessions; caller: CallerContext; store: Store; change(reading: Reading): void };

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
    depsFor: async () => parts,
    definitions: {
      list: async () => [{ type: "survey", title: "Survey", description: "" }],
      read,
      pin: async (kept) => ({ definition: (await pin(kept)) ?? "", first: 1, total: kept.phases.length }),
      pinned: async () => undefined,
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
  const { stream, id } = await sessions.start(caller, { type: "survey", target: "a.ts" });
  if (stream.session === null) throw new Error("no session");
  return id.name;
}

async function at({ sessions }: Bench, session: string): Promise<Engine> {
  const engine = await sessions.find(session);
  if (engine === undefined) throw new Error("no session");
  return engine;
}

async function complete(
  stream: Bench,
  session: string,
  request: CompleteRequest,
  caller = stream.caller,
): Promise<Reply> {
  return (await at(stream, session)).complete(caller, request);
}

async function eventsOf({ store }: Bench, name: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const record of store.log.records({ kind: "session", name })) events.push(...record.events);
  return events;
}

function viewOf({ id, stream }: Pick<Reply, "id" | "stream">): SessionView | null {
  return sessionView(id.name, stream);
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
    const stream = bench();
    const session = await started(stream);
    const start = (by: string, target: string, options: JsonObject = {}) =>
      stream.sessions.start({ id: by }, { type: "survey", target, options });
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
    const stream = bench();
    const session = await started(stream);
    for (const step of ["2", "3", "99", "-1", "0"]) {
      const reply = await (await at(stream, session)).open(stream.caller, { step });
      expect(codeOf(reply.outcome)).toBe("ahead");
      expect(reply.shown?.step).toBe("1");
      expect(JSON.stringify(reply)).not.toMatch(/SECRET \w+ of phase [23]|SECRET name|proof_2/);
    }
    const refused = (await eventsOf(stream, session)).filter(({ type }) => type === "refused");
    expect(refused.map((event) => "code" in event && event.code)).toEqual(
      Array.from({ length: 5 }, () => "phase_sequence_violation"),
    );
  });

  it("complete evidence passes the gate and opens the next phase in the same record", async () => {
    const stream = bench();
    const session = await started(stream);
    const reply = await complete(stream, session, { step: "1", evidence: proof(1) });
    expect(reply.outcome.kind).toBe("completed");
    expect(reply.shown?.step).toBe("2");
    expect(viewOf(reply)).toMatchObject({ current_phase: 2, completed_phases: [1], checkpoints: { 1: "passed" } });
    expect((await stream.store.log.load({ kind: "session", name: session })).seen).toBe(2);
  });

  it("incomplete evidence leaves the session where it is, and adds nothing to the next attempt", async () => {
    const stream = bench({
      workflow: workflow([phase(1, { gate: gate([required("a", "string"), required("b", "string")]) })]),
    });
    const session = await started(stream);
    const first = await complete(stream, session, { step: "1", evidence: { a: "x" } });
    expect(codeOf(first.outcome)).toBe("gaps");
    expect(viewOf(first)).toMatchObject({ current_phase: 1, completed_phases: [], checkpoints: { 1: "failed" } });
    const second = await complete(stream, session, { step: "1", evidence: { b: "x" } });
    expect(second.outcome).toMatchObject({ refusal: { gaps: [expect.objectContaining({ field: "a" })] } });
  });

  it("a phase ahead cannot be completed with any evidence", async () => {
    const stream = bench();
    const session = await started(stream);
    const reply = await complete(stream, session, { step: "2", evidence: proof(2) });
    expect(codeOf(reply.outcome)).toBe("ahead");
    expect(viewOf(reply)?.current_phase).toBe(1);
  });

  it("of two that complete one phase, the second gets a conflict; the same call of the same caller gets its answer again", async () => {
    const stream = bench();
    const session = await started(stream);
    const request = { step: "1", evidence: proof(1) };
    const [one, two] = await Promise.all([
      complete(stream, session, request),
      complete(stream, session, request, { id: "two" }),
    ]);
    expect([one.outcome.kind, codeOf(two.outcome)]).toEqual(["completed", "moved"]);
    const again = await complete(stream, session, request);
    expect([again.outcome.kind, again.shown?.step]).toEqual(["completed", "2"]);
  });

  it("after the last phase the workflow is complete, its phases can be reviewed, and the next start begins a new session", async () => {
    const stream = bench();
    const session = await started(stream);
    for (const number of [1, 2, 3]) await complete(stream, session, { step: `${number}`, evidence: proof(number) });
    const engine = await at(stream, session);
    const found = viewOf({ id: engine.id, ...(await engine.inspect(stream.caller)) });
    expect(found).toMatchObject({ current_phase: 3, workflow_complete: true, completed_phases: [1, 2, 3] });
    const review = await engine.open(stream.caller, { step: "2" });
    expect([review.outcome.kind, review.shown?.step]).toEqual(["review", "2"]);
    expect(await started(stream)).not.toBe(session);
  });

  it("a session keeps the definition it began with, and says when the files have changed", async () => {
    const stream = bench();
    const session = await started(stream);
    stream.change({ workflow: workflow([phase(1, { gate: gate([]) }), phase(2)], "h2") });
    const reply = await complete(stream, session, { step: "1", evidence: {} });
    expect(codeOf(reply.outcome)).toBe("gaps");
    expect(reply.warnings).toEqual([{ kind: "definition_changed", workflow: "survey" }]);
    stream.change({ problem: { code: "gate-wrong-value", file: "workflows/survey", message: "broken" } });
    expect((await (await at(stream, session)).open(stream.caller, {})).shown?.step).toBe("1");
  });

  it("a gate that cannot be read stays closed", async () => {
    const closed = { code: "gate-wrong-value", file: "gate-definition.yaml", message: "not understood" } as const;
    const stream = bench({ workflow: workflow([phase(1, { gate: gate([], { closed }) })]) });
    const session = await started(stream);
    expect(codeOf((await complete(stream, session, { step: "1", evidence: {} })).outcome)).toBe("gate_closed");
  });

  it("an archived session takes no evidence, and the next start begins a new session", async () => {
    const stream = bench();
    const session = await started(stream);
    await (await at(stream, session)).archive({ id: "person" }, "abandoned");
    const reply = await complete(stream, session, { step: "1", evidence: proof(1) });
    expect(codeOf(reply.outcome)).toBe("archived");
    expect(await started(stream)).not.toBe(session);
  });

  it("a person who goes back has the phase done again; what was done is superseded and stays on record", async () => {
    const stream = bench();
    const session = await started(stream);
    for (const number of [1, 2]) await complete(stream, session, { step: `${number}`, evidence: proof(number) });
    const engine = await at(stream, session);
    expect((await engine.back({ id: "person" }, { step: "1" })).outcome.kind).toBe("gone_back");
    const reply = await complete(stream, session, { step: "1", evidence: proof(1) });
    expect(viewOf(reply)).toMatchObject({ current_phase: 2, completed_phases: [1] });
    const completed = (await eventsOf(stream, session)).filter(({ type }) => type === "completed");
    expect(completed).toMatchObject([{ step: "1" }, { step: "2" }, { step: "1", attempt: 2 }]);
  });

  it("a part of a phase is read by its name; an unknown one is refused, and one of a later phase as well", async () => {
    const stream = bench();
    const engine = await at(stream, await started(stream));
    expect((await engine.open(stream.caller, { part: "0" })).shown?.text).toBe("SECRET task 0 of phase 1");
    expect(codeOf((await engine.open(stream.caller, { part: "7" })).outcome)).toBe("invalid_input");
    const ahead = await engine.open(stream.caller, { step: "2", part: "0" });
    expect(codeOf(ahead.outcome)).toBe("ahead");
    expect(JSON.stringify(ahead)).not.toContain("of phase 2");
  });

  it.each(["unknown", "session-1", "__proto__", "../../etc/passwd", ""])("there is no session %j", async (session) => {
    const stream = bench();
    await started(stream);
    expect(await stream.sessions.find(session)).toBeUndefined();
  });

  it("an unknown workflow and one whose definition is broken do not start", async () => {
    const { sessions, caller } = bench({
      problem: { code: "gate-wrong-value", file: "workflows/survey/phases/2", message: "a gate is broken" },
    });
    expect(codeOf((await sessions.start(caller, { type: "nothing" })).outcome)).toBe("unknown_workflow");
    expect(codeOf((await sessions.start(caller, { type: "survey" })).outcome)).toBe("invalid_definition");
    expect([await sessions.hasAny(), await sessions.all()]).toEqual([false, []]);
  });

  describe("a gate that asks for approval", () => {
    const approved = {
      workflow: workflow([phase(1, { gate: gate([required("a", "string")], { approval: true }) }), phase(2)]),
    };
    const evidence = { a: "x" };

    it("waits for approval: nothing is advanced, and the submission is kept", async () => {
      const stream = bench(approved);
      const session = await started(stream);
      const reply = await complete(stream, session, { step: "1", evidence });
      expect([reply.outcome.kind, viewOf(reply)?.current_phase]).toEqual(["awaiting", 1]);
      const passed = await complete(stream, session, { step: "1", confirmation: "yes, go on" });
      expect([passed.outcome.kind, viewOf(passed)?.current_phase]).toEqual(["completed", 2]);
      const completed = (await eventsOf(stream, session)).find(({ type }) => type === "completed");
      expect(completed).toMatchObject({ evidence, word: { level: "relayed", text: "yes, go on" } });
    });

    it.each([
      ["yes", "completed"],
      ["no", "refused"],
      ["none", "awaiting"],
    ] as const)("a client that can ask is asked: %s is %s, whatever the assistant says", async (kind, expected) => {
      const stream = bench(approved);
      const session = await started(stream);
      const ask = async (): Promise<PersonAnswer> => ({ kind });
      const reply = await complete(stream, session, { step: "1", evidence, confirmation: "ok" }, { id: "one", ask });
      expect(reply.outcome.kind).toBe(expected);
      if (kind === "no") expect(codeOf(reply.outcome)).toBe("declined");
    });

    it("a person is not asked before the evidence is complete", async () => {
      const stream = bench(approved);
      const session = await started(stream);
      let asked = 0;
      const ask = async (): Promise<PersonAnswer> => {
        asked += 1;
        return { kind: "yes" };
      };
      const reply = await complete(stream, session, { step: "1", evidence: {} }, { id: "one", ask });
      expect([codeOf(reply.outcome), asked]).toEqual(["gaps", 0]);
    });
  });

  it("what a phase proved and produced is there for every later one, commands apart from outputs", async () => {
    const requirements = [required("function_count", "integer"), required("ast_command_output", "string")];
    const stream = bench({ workflow: workflow([phase(1, { gate: gate(requirements) }), phase(2)]) });
    const session = await started(stream);
    const evidence = { function_count: 3, ast_command_output: "def a()" };
    const outputs = { notes: "fine", commands_executed: ["grep def"] };
    const reply = await complete(stream, session, { step: "1", evidence, outputs });
    expect(viewOf(reply)?.phase_artifacts[1]).toMatchObject({
      phase_number: 1,
      evidence,
      outputs: { function_count: 3, notes: "fine" },
      commands_executed: [{ ast_command_output: "def a()" }, "grep def"],
    });
  });
});
