import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { memoryContentKeeper } from "../../stores/memory-content.ts";
import { memoryPins, memorySessions } from "../../stores/memory-sessions.ts";
import type { Gate } from "../../workflow/gate.ts";
import type { PhasedReading, PhasedWorkflow, SessionStore } from "../phased-ports.ts";
import type { Ask } from "../reply.ts";
import { type Connection, createPhasedEngine, type PhasedEngine, type PhasedParts } from "./phased-engine.ts";

const anything: Gate["requirements"] = [{ field: "n", type: "integer", required: true, description: "n", rules: [] }];

function workflow(type: string, gate: Partial<Gate> = {}): PhasedWorkflow {
  const whole = { requirements: anything, comparisons: [], examples: {}, rulesHold: false, approval: false, ...gate };
  const phases = [1, 2].map((number) => {
    return { number, name: `${number}`, content: `phase ${number}`, sources: [], tasks: [], gate: whole };
  });
  return { type, title: type, description: "", phases, hash: `hash of ${type}` };
}

type Bench = { engine: PhasedEngine; parts: PhasedParts; warn(text: string): void; rename(): void };

/** A workflow whose config's name is `called`, in a folder `folder`; until it is renamed, only the folder's name is known. */
function bench(gate: Partial<Gate> = {}, files = new Map<string, string>()): Bench {
  const told: string[] = [];
  let isRenamed = true;
  const parts: PhasedParts = {
    definitions: async () => ({
      isQuiet: async () => false,
      read: (type): PhasedReading =>
        ["called", "folder"].includes(type) ? { workflow: workflow(type, gate) } : { unknown: true },
    }),
    workflows: () => {
      const named = { title: "", description: "" };
      return isRenamed ? [{ ...named, type: "called", aliases: ["folder"] }] : [{ ...named, type: "folder" }];
    },
    projectArea: "/project",
    store: warning(memorySessions(), told),
    pins: memoryPins(),
    content: memoryContentKeeper(files),
    observe: async () => new Map([["report:file_exists", null]]),
    clock: () => new Date("2026-01-01T00:00:00Z"),
  };
  return {
    engine: createPhasedEngine(parts),
    parts,
    warn: (text) => told.push(text),
    rename() {
      isRenamed = !isRenamed;
    },
  };
}

/** A store whose next look says what it was told to say, once. */
function warning(store: SessionStore, told: string[]): SessionStore {
  return {
    ...store,
    open(id) {
      const history = store.open(id);
      return {
        ...history,
        look: async () => ({ ...(await history.look()), warnings: told.splice(0) }),
      };
    },
  };
}

const caller: Connection = { id: "one", unanswered: new Set() };
const evidence = { n: 1 };

async function started({ engine }: Bench, workflow_type = "called"): Promise<string> {
  const { session } = await engine.start(caller, { workflow_type, target_file: "a.ts" });
  if (session === null) throw new Error("no session");
  return session.session_id;
}

describe("a workflow with two names", () => {
  it("has one session under either, recorded by the config's name", async () => {
    const desk = bench();
    const session_id = await started(desk, "folder");
    expect(await started(desk, "called")).toBe(session_id);
    const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence });
    expect(reply.session).toMatchObject({ workflow_type: "called", current_phase: 2, completed_phases: [1] });
    expect(reply.warnings).toEqual([]);
  });

  it("goes on with a session that was begun under its folder's name, by either name", async () => {
    const desk = bench();
    desk.rename();
    const session_id = await started(desk, "folder");
    desk.rename();
    expect([await started(desk, "called"), await started(desk, "folder")]).toEqual([session_id, session_id]);
    const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence });
    expect([reply.session?.current_phase, reply.warnings]).toEqual([2, []]);
  });
});

describe("what is found out about a session is said once, and not before somebody listens", () => {
  it.each<[string, (engine: PhasedEngine, id: string) => Promise<unknown>]>([
    ["the list", (engine) => engine.views()],
    ["a glance", (engine, id) => engine.glance(id)],
    ["a count of the records", (engine) => engine.seen()],
  ])("%s leaves it to the next reply", async (_, quietly) => {
    const desk = bench();
    const session_id = await started(desk);
    desk.warn("forged");
    await quietly(desk.engine, session_id);
    expect(desk.engine.overheard()).toEqual(["forged"]);
    expect((await desk.engine.read(caller, { session_id })).warnings).toEqual(["forged"]);
    expect((await desk.engine.read(caller, { session_id })).warnings).toEqual([]);
  });

  it("start_workflow says it of the session that it resumes", async () => {
    const desk = bench();
    await started(desk);
    desk.warn("forged");
    const reply = await desk.engine.start(caller, { workflow_type: "called", target_file: "a.ts" });
    expect([reply.resumed, reply.warnings]).toEqual([true, ["forged"]]);
  });

  it("a program that ends takes all of it", async () => {
    const desk = bench();
    await started(desk);
    desk.warn("forged");
    await desk.engine.views();
    expect([desk.engine.unsaid(), desk.engine.unsaid()]).toEqual([["forged"], []]);
  });

  it("a question to a person does not swallow it", async () => {
    for (const kind of ["accepted", "declined", "pending"] as const) {
      const desk = bench({ approval: true });
      const session_id = await started(desk);
      desk.warn("forged");
      const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence }, async () => ({ kind }));
      const heard = kind === "pending" ? await desk.engine.read(caller, { session_id }) : reply;
      expect(heard.warnings).toEqual(["forged"]);
    }
  });
});

it("how a session stands is told with the change of its definition", async () => {
  const desk = bench();
  const session_id = await started(desk);
  expect((await desk.engine.view(session_id))?.warnings).toEqual([]);
  const changed = { workflow: { ...workflow("called"), hash: "another" } };
  const parts = { ...desk.parts, definitions: async () => ({ isQuiet: async () => false, read: () => changed }) };
  const found = await createPhasedEngine(parts).view(session_id);
  expect(found?.warnings).toEqual([expect.stringMatching(/has changed since this session began/)]);
});

it("outputs and files of an attempt that the gate turned down are on record nowhere", async () => {
  const desk = bench({}, new Map([["x.txt", "x"]]));
  const session_id = await started(desk);
  const outputs = { lie: 1, commands_executed: ["fake"], files: ["x.txt"] };
  await desk.engine.complete(caller, { session_id, phase: 1, evidence: { n: "lie" }, outputs });
  const { session } = await desk.engine.complete(caller, { session_id, phase: 1, evidence, outputs: { truth: 1 } });
  expect(session?.phase_artifacts[1]).toMatchObject({ outputs: { n: 1, truth: 1 }, commands_executed: [], files: [] });
  expect((await desk.engine.events(session_id)).map(({ type }) => type)).toEqual([
    "session_began",
    "started",
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
  const put = async (path: string, outputs = {}): ReturnType<PhasedEngine["complete"]> => {
    const desk = bench(asks, new Map([["out/r.txt", "text"]]));
    const session_id = await started(desk);
    return desk.engine.complete(caller, { session_id, phase: 1, evidence: { report: path }, outputs });
  };

  it.each(["out/r.txt", "./out/r.txt", "/project/out/r.txt", "out/r.txt/"])(
    "%s is on record by its hash",
    async (path) => {
      const { session, warnings } = await put(path);
      expect(warnings).toEqual([]);
      expect(session?.phase_artifacts[1]?.files).toEqual([
        { path: "out/r.txt", bytes: 4, sha256: hash("sha256", "text") },
      ]);
    },
  );

  it("one that cannot be put on record is named", async () => {
    const { outcome, warnings } = await put("gone.txt", { files: ["/etc/passwd"] });
    expect(outcome.kind).toBe("completed");
    expect(warnings).toEqual([expect.stringContaining('"gone.txt"'), expect.stringContaining('"/etc/passwd"')]);
  });
});

describe("the question to a person", () => {
  const asked = async (desk: Bench, session_id: string, given: object): Promise<string> => {
    let question = "";
    const ask: Ask = async (text) => {
      question = text;
      return { kind: "pending" };
    };
    await desk.engine.complete(caller, { session_id, phase: 1, evidence: { ...given } }, ask);
    return question;
  };

  it("shows what an earlier call has left, as it would count", async () => {
    const desk = bench({ approval: true });
    const session_id = await started(desk);
    await desk.engine.complete(caller, { session_id, phase: 1, evidence: { n: 666 }, outputs: { o: 7 } });
    const question = await asked(desk, session_id, {});
    expect(question).toContain('Evidence: {"n":666}');
    expect(question).toContain('Outputs: {"o":7}');
  });

  it("is another one where only the end of long evidence is another", async () => {
    const desk = bench({ approval: true });
    const session_id = await started(desk);
    const [one, two] = [
      await asked(desk, session_id, { n: 1, proof: `${"p".repeat(700)}ONE` }),
      await asked(desk, session_id, { n: 1, proof: `${"p".repeat(700)}TWO` }),
    ];
    const whole = JSON.stringify({ n: 1, proof: `${"p".repeat(700)}ONE` });
    expect(one).toContain(`${whole.length} bytes in all, SHA-256 ${hash("sha256", whole).slice(0, 16)}`);
    expect(two).not.toBe(one);
  });

  it("gets no yes to what was handed in while it stood", async () => {
    const desk = bench({ approval: true });
    const session_id = await started(desk);
    const other: Connection = { id: "two", unanswered: new Set() };
    const ask: Ask = async () => {
      await desk.engine.complete(other, { session_id, phase: 1, evidence: { n: 1, more: "unseen" } });
      return { kind: "accepted" };
    };
    const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence }, ask);
    expect([reply.outcome.kind, reply.session?.current_phase]).toEqual(["awaiting", 1]);
  });
});

it.each(["\u2800", "\u200b\u00ad", "\u3164\uffa0", "\u115f", "\u{1d159}", " \ufe0f "])(
  "%j is no person's word",
  async (confirmation) => {
    const desk = bench({ approval: true });
    const session_id = await started(desk);
    const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence, confirmation });
    expect(reply.outcome.kind).toBe("awaiting");
  },
);

it.each(["ok", "👍", "はい", "да", "✓"])("%s is one", async (confirmation) => {
  const desk = bench({ approval: true });
  const session_id = await started(desk);
  const reply = await desk.engine.complete(caller, { session_id, phase: 1, evidence, confirmation });
  expect(reply.outcome.kind).toBe("completed");
});

it("a start that cannot be recorded is a conflict that says so, and not a session that is missing", async () => {
  const { parts } = bench();
  const full: SessionStore = {
    ...parts.store,
    open: (id) => ({ ...parts.store.open(id), append: async () => ({ status: "failed", warnings: ["full"] }) }),
  };
  const engine = createPhasedEngine({ ...parts, store: full });
  const reply = await engine.start({ id: "a", unanswered: new Set() }, { workflow_type: "called" });
  expect(reply).toMatchObject({ outcome: { kind: "refused", refusal: { error: "conflict" } }, warnings: ["full"] });
});
