import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PhasedWorkflow } from "../definitions/phases/phased-workflow.ts";
import { sessionDefinitions } from "../definitions/session-definitions.ts";
import type { Gate } from "../gates/gate.ts";
import { approvalQuestion } from "../messages/approval-question.ts";
import { memoryPins, memoryStore } from "../stores/memory/memory-store.ts";
import type { Event } from "../workflow/events.ts";
import { type SessionView, sessionView } from "../workflow/session-view.ts";
import type { CallerContext, PersonAnswer } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { PhasedWorkflowReading } from "./ports/phased.ts";
import type { ApprovalQuestion, Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { openSessions, type Sessions } from "./sessions.ts";

const anything: Gate["requirements"] = [{ field: "n", type: "integer", required: true, description: "n", rules: [] }];

function workflow(type: string, gate: Partial<Gate> = {}): PhasedWorkflow {
  const whole = { requirements: anything, comparisons: [], examples: {}, rulesHold: false, approval: false, ...gate };
  const phases = [1, 2].map((number) => {
    return { number, name: `${number}`, content: `phase ${number}`, sources: ["called.md"], tasks: [], gate: whole };
  });
  return { type, title: type, description: "", phases, hash: `hash of ${type}` };
}

type Bench = {
  readonly sessions: Sessions;
  readonly log: EventLog;
  warn(text: string): void;
  rename(): void;
  change(): void;
  fill(): void;
};

/** A workflow whose config's name is `called`, in a folder `folder`; until it is renamed, only the folder's name is known. */
function bench(gate: Partial<Gate> = {}, files = new Map<string, string>()): Bench {
  const notified: string[] = [];
  let [isRenamed, isChanged, isFull] = [true, false, false];
  const store = memoryStore(files);
  const pins = memoryPins();
  // a look returns the warnings it was given, once; a full store records nothing
  const log: EventLog = {
    ...store.log,
    load: async (id) => ({ ...(await store.log.load(id)), warnings: notified.splice(0) }),
    append: async (...args) => (isFull ? { status: "failed", warnings: ["full"] } : store.log.append(...args)),
  };
  const read = async (type: string): Promise<PhasedWorkflowReading<PhasedWorkflow>> => {
    if (!["called", "folder"].includes(type)) return { unknown: true };
    const found = workflow(type, gate);
    return { workflow: isChanged ? { ...found, hash: "another" } : found };
  };
  const pin = (kept: PhasedWorkflow): Promise<string | undefined> => pins.keep(JSON.stringify(kept));
  const pinned = async (name: string): Promise<PhasedWorkflow | undefined> => {
    const text = await pins.find(name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const parts = {
    ...store,
    log,
    checkRules: async () => [],
    observe: async () => new Map([["report:file_exists", null]]),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
  const sessions = openSessions<PhasedWorkflow>({
    runHere: async () => undefined,
    depsFor: async () => parts,
    definitions: {
      list: async () => {
        const named = { title: "", description: "" };
        return isRenamed ? [{ ...named, type: "called", aliases: ["folder"] }] : [{ ...named, type: "folder" }];
      },
      read,
      pin: async (kept) => ({ definition: (await pin(kept)) ?? "", first: 1, total: kept.phases.length }),
      pinned: async () => undefined,
      forSession: (beginning) => sessionDefinitions({ read, pinned, pin, beginning }),
    },
    projectArea: "/project",
  });
  return {
    sessions,
    log,
    warn: (text) => void notified.push(text),
    rename() {
      isRenamed = !isRenamed;
    },
    change() {
      isChanged = true;
    },
    fill() {
      isFull = true;
    },
  };
}

const caller: CallerContext = { id: "one" };
const evidence = { n: 1 };

async function started({ sessions }: Bench, type = "called", target = "a.ts"): Promise<Engine> {
  const { stream, id } = await sessions.start(caller, { type, target });
  const engine = await sessions.find(id.name);
  if (stream.session === null || engine === undefined) throw new Error("no session");
  return engine;
}

function viewOf({ id, stream }: Reply): SessionView | null {
  return sessionView(id.name, stream);
}

async function eventsOf({ log }: Bench, { id }: Engine): Promise<Event[]> {
  const events: Event[] = [];
  for await (const record of log.records(id)) events.push(...record.events);
  return events;
}

const says = (kind: PersonAnswer["kind"]) => async (): Promise<PersonAnswer> => ({ kind });

describe("a workflow with two names", () => {
  it("has one session under either, recorded by the config's name", async () => {
    const stream = bench();
    const engine = await started(stream, "folder");
    expect((await started(stream, "called")).id).toEqual(engine.id);
    const reply = await engine.complete(caller, { step: "1", evidence });
    expect(viewOf(reply)).toMatchObject({ workflow_type: "called", current_phase: 2, completed_phases: [1] });
    expect(reply.warnings).toEqual([]);
  });

  it("continues a session started under its folder's name, by either name", async () => {
    const stream = bench();
    stream.rename();
    const engine = await started(stream, "folder");
    stream.rename();
    expect([(await started(stream, "called")).id, (await started(stream, "folder")).id]).toEqual([
      engine.id,
      engine.id,
    ]);
    const reply = await engine.complete(caller, { step: "1", evidence });
    expect([viewOf(reply)?.current_phase, reply.warnings]).toEqual([2, []]);
  });
});

describe("a notice about a session is delivered once, and only with a reply", () => {
  it.each<[string, (sessions: Sessions, engine: Engine) => Promise<unknown>]>([
    ["the list", (sessions) => sessions.all()],
    ["a glance", (_, engine) => engine.peek()],
  ])("%s leaves it to the next reply", async (_, quietly) => {
    const stream = bench();
    const engine = await started(stream);
    stream.warn("forged");
    await quietly(stream.sessions, engine);
    expect(stream.sessions.pendingNotices()).toEqual(["forged"]);
    expect((await engine.open(caller, {})).warnings).toEqual(["forged"]);
    expect((await engine.open(caller, {})).warnings).toEqual([]);
  });

  it("a start delivers it for the session it resumes", async () => {
    const stream = bench();
    await started(stream);
    stream.warn("forged");
    const reply = await stream.sessions.start(caller, { type: "called", target: "a.ts" });
    expect([reply.resumed, reply.warnings]).toEqual([true, ["forged"]]);
  });

  it("a program that ends takes all of it", async () => {
    const stream = bench();
    await started(stream);
    stream.warn("forged");
    await stream.sessions.all();
    expect([stream.sessions.takeNotices(), stream.sessions.takeNotices()]).toEqual([["forged"], []]);
  });

  it.each(["yes", "no", "none", "pending"] as const)("a question to a person does not swallow it: %s", async (kind) => {
    const stream = bench({ approval: true });
    const engine = await started(stream);
    stream.warn("forged");
    const reply = await engine.complete({ ...caller, ask: says(kind) }, { step: "1", evidence });
    const heard = kind === "pending" ? await engine.open(caller, {}) : reply;
    expect(heard.warnings).toEqual(["forged"]);
  });
});

it("the status of a session mentions that its definition changed", async () => {
  const stream = bench();
  const engine = await started(stream);
  expect((await engine.inspect(caller)).warnings).toEqual([]);
  stream.change();
  expect((await engine.inspect(caller)).warnings).toEqual([{ kind: "definition_changed", workflow: "called" }]);
});

it("outputs and files of a refused attempt stay submitted; its evidence does not", async () => {
  const stream = bench({}, new Map([["x.txt", "x"]]));
  const engine = await started(stream);
  const outputs = { first: 1, files: ["x.txt"] };
  await engine.complete(caller, { step: "1", evidence: { n: "lie", more: 1 }, outputs });
  const reply = await engine.complete(caller, { step: "1", evidence, outputs: { second: 2 } });
  const file = { path: "x.txt", bytes: 1, sha256: hash("sha256", "x") };
  const artifact = viewOf(reply)?.phase_artifacts[1];
  expect(artifact?.outputs).toEqual({ n: 1, first: 1, files: ["x.txt"], second: 2 });
  expect(artifact?.files).toEqual([file]);
  expect((await eventsOf(stream, engine)).map(({ type }) => type)).toEqual([
    "session_began",
    "started",
    "handed_in",
    "refused",
    "completed",
    "started",
  ]);
});

describe("files", () => {
  const asks: Partial<Gate> = {
    requirements: [
      { field: "report", type: "string", required: true, description: "", rules: [{ kind: "file_exists" }] },
    ],
  };
  const onRecord = [{ path: "out/r.txt", bytes: 4, sha256: hash("sha256", "text") }];
  const put = async (request: CompleteRequest): Promise<Reply> => {
    const engine = await started(bench(asks, new Map([["out/r.txt", "text"]])));
    return engine.complete(caller, { step: "1", ...request });
  };

  it.each(["out/r.txt", "./out/r.txt", "out//r.txt", "out/r.txt/"])(
    "%s is on record by its hash, named by the evidence or among the outputs",
    async (path) => {
      const proved = await put({ evidence: { report: path } });
      expect([proved.warnings, viewOf(proved)?.phase_artifacts[1]?.files]).toEqual([[], onRecord]);
      const named = await put({ evidence: { report: "out/r.txt" }, outputs: { files: [path, "out/r.txt"] } });
      expect([named.warnings, viewOf(named)?.phase_artifacts[1]?.files]).toEqual([[], onRecord]);
    },
  );

  it("one that cannot be put on record is named", async () => {
    const { outcome, warnings } = await put({ evidence: { report: "gone.txt" }, outputs: { files: ["/etc/passwd"] } });
    expect(outcome.kind).toBe("completed");
    expect(warnings).toEqual([expect.stringContaining('"gone.txt"'), expect.stringContaining('"/etc/passwd"')]);
  });

  it("a submitted text counts, not the file at its path that the evidence names", async () => {
    const files = new Map([["out/r.txt", "old"]]);
    const engine = await started(bench({ ...asks, approval: true }, files));
    const content = [{ path: "out/r.txt", text: "new" }];
    await engine.complete(caller, { step: "1", evidence: { report: "./out/r.txt" }, content });
    const reply = await engine.complete(caller, { step: "1", confirmation: "yes" });
    expect(viewOf(reply)?.phase_artifacts[1]?.files).toEqual([
      { path: "out/r.txt", bytes: 3, sha256: hash("sha256", "new") },
    ]);
    expect([files.get("out/r.txt"), reply.warnings]).toEqual(["new", []]);
  });

  it("one that the evidence names is recorded as it is when it counts", async () => {
    const files = new Map([["out/r.txt", "old"]]);
    const engine = await started(bench({ ...asks, approval: true }, files));
    await engine.complete(caller, { step: "1", evidence: { report: "out/r.txt" } });
    files.set("out/r.txt", "new");
    const reply = await engine.complete(caller, { step: "1", confirmation: "yes" });
    expect(viewOf(reply)?.phase_artifacts[1]?.files).toMatchObject([{ bytes: 3, sha256: hash("sha256", "new") }]);
  });
});

describe("the question to a person", () => {
  const asked = async (engine: Engine, request: CompleteRequest): Promise<ApprovalQuestion> => {
    const questions: ApprovalQuestion[] = [];
    const ask = async (question: ApprovalQuestion): Promise<PersonAnswer> => {
      questions.push(question);
      return { kind: "pending" };
    };
    await engine.complete({ ...caller, ask }, { step: "1", ...request });
    const [question] = questions;
    if (question === undefined) throw new Error("nobody was asked");
    return question;
  };

  it("shows what an earlier call has left, as it would count", async () => {
    const engine = await started(bench({ approval: true }));
    await engine.complete(caller, { step: "1", evidence: { n: 666 }, outputs: { o: 7 } });
    const question = approvalQuestion(await asked(engine, {}));
    expect(question).toMatch(/n.*666/);
    expect(question).toMatch(/o.*7/);
  });

  it("is another one where only the end of long evidence is another", async () => {
    const engine = await started(bench({ approval: true }));
    const [one, two] = [
      await asked(engine, { evidence: { n: 1, proof: `${"p".repeat(700)}ONE` } }),
      await asked(engine, { evidence: { n: 1, proof: `${"p".repeat(700)}TWO` } }),
    ];
    expect(two.key).not.toBe(one.key);
  });

  it("is another one in another session, even for the same submission", async () => {
    const stream = bench({ approval: true });
    const [one, two] = [await started(stream, "called", "a.ts"), await started(stream, "called", "b.ts")];
    expect((await asked(two, { evidence })).key).not.toBe((await asked(one, { evidence })).key);
  });

  it("does not cover what was submitted while it was open: that is asked about", async () => {
    const engine = await started(bench({ approval: true }));
    const questions: string[] = [];
    const ask = async (question: ApprovalQuestion): Promise<PersonAnswer> => {
      questions.push(approvalQuestion(question));
      if (questions.length === 1) await engine.complete({ id: "two" }, { step: "1", evidence, outputs: { unseen: 1 } });
      return { kind: "yes" };
    };
    const reply = await engine.complete({ ...caller, ask }, { step: "1", evidence });
    expect([reply.outcome.kind, questions.length]).toEqual(["completed", 2]);
    expect(questions.map((question) => question.includes("unseen"))).toEqual([false, true]);
  });

  it("is not answered by a yes as long as submissions keep coming in", async () => {
    const engine = await started(bench({ approval: true }));
    let count = 0;
    const ask = async (): Promise<PersonAnswer> => {
      count += 1;
      await engine.complete({ id: "two" }, { step: "1", evidence, outputs: { count } });
      return { kind: "yes" };
    };
    const reply = await engine.complete({ ...caller, ask }, { step: "1", evidence });
    expect([reply.outcome.kind, viewOf(reply)?.current_phase]).toEqual(["awaiting", 1]);
  });
});

describe("a person's rejection of a submission", () => {
  it("holds for the next attempt at the step: an approval of the same cannot be relayed", async () => {
    const engine = await started(bench({ approval: true }));
    await engine.complete({ ...caller, ask: says("no") }, { step: "1", evidence });
    await engine.complete(caller, { step: "1", evidence: { n: 2 }, confirmation: "now they agree" });
    await engine.back({ id: "person" }, { step: "1" });
    const same = await engine.complete(caller, { step: "1", evidence, confirmation: "they agree" });
    expect(same.outcome).toMatchObject({ kind: "refused", refusal: { kind: "declined" } });
    const asked = await engine.complete({ ...caller, ask: says("none") }, { step: "1", evidence });
    expect(asked.outcome).toMatchObject({ declined: true });
  });
});

it.each(["\u2800", "\u200b\u00ad", "\u3164\uffa0", "\u115f", "\u{1d159}", " \ufe0f ", "", ".", "…", "👍", "✓"])(
  "%j is no person's word",
  async (confirmation) => {
    const engine = await started(bench({ approval: true }));
    const reply = await engine.complete(caller, { step: "1", evidence, confirmation });
    expect(reply.outcome.kind).toBe("awaiting");
  },
);

it.each(["ok", "はい", "да", "1", "👍 yes"])("%s is one", async (confirmation) => {
  const engine = await started(bench({ approval: true }));
  const reply = await engine.complete(caller, { step: "1", evidence, confirmation });
  expect(reply.outcome.kind).toBe("completed");
});

it("a start that cannot be recorded says so, and is not a session that is missing", async () => {
  const stream = bench();
  stream.fill();
  const reply = await stream.sessions.start({ id: "a" }, { type: "called" });
  expect(reply).toMatchObject({ outcome: { kind: "refused", refusal: { kind: "not_recorded" } }, warnings: ["full"] });
});
