import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Approval, Person } from "../evidence/approval.ts";
import type { Gate } from "../evidence/gate.ts";
import { type Approver, keyFingerprint } from "../people/approver.ts";
import { isProved } from "../people/proof.ts";
import { type Signed, type Statement, statementFor, statementText } from "../people/statement.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Event } from "../workflow/events.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { PersonsAnswer } from "./answer.ts";
import type { Answer, Calling } from "./caller.ts";
import type { DeskParts, People } from "./desk-parts.ts";
import { createEngine } from "./engine.ts";
import { partsWith } from "./engine-parts.testing.ts";
import type { HandIn, Waits } from "./hand-ins.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";

const assistant: Calling = { id: "assistant", client: "a host" };
const terminal: Calling = { id: "terminal", client: "waymark" };

/** Somebody with a key of their own. */
function personOf(name: string): { readonly approver: Approver; readonly secret: KeyObject } {
  const { privateKey: secret, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const parts = { key: keyFingerprint(spki), public: spki.toString("base64"), enrolled: "2026-01-01T00:00:00.000Z" };
  return { approver: { name, kind: "ed25519", ...parts }, secret };
}

const [dana, lee, mallory] = [personOf("dana"), personOf("lee"), personOf("mallory")];

/** The people who are trusted here. */
function trusting(...trusted: readonly Approver[]): People {
  return {
    proves: async (signed) => {
      const approver = trusted.find(({ key }) => key === signed.proof.key);
      if (approver === undefined) return { problem: "nobody who is trusted here has that key" };
      const verdict = isProved(signed, approver);
      return verdict === true ? ({ name: approver.name, key: approver.key } satisfies Person) : { problem: verdict };
    },
  };
}

type Setting = { readonly needs?: Approval; readonly level?: Plan["wordLevel"]; readonly auto?: boolean };

/** A bot of two steps, the first of which needs a person. */
function bench({ needs, level, auto = false }: Setting = {}, people: People = trusting(dana.approver, lee.approver)) {
  const files = new Map<string, string>();
  const store = memoryStore(files);
  let now = Date.parse("2026-01-01T00:00:00Z");
  const parts = partsWith(store);
  const gate: Gate = {
    requirements: [],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: needs !== undefined,
    ...(needs === undefined ? {} : { approvalNeeds: needs }),
  };
  const given: DeskParts = {
    ...parts,
    people,
    clock: () => new Date(now),
    definitions: {
      ...parts.definitions,
      plan: async (history) => {
        const reading = await parts.definitions.plan(history);
        const steps = ["one", "two"].map((name) => ({ name, auto, ...(needs === undefined ? {} : { gate }) }));
        const plan = { ...reading.plan, workflows: [{ name: "shape", steps }] };
        return { ...reading, plan: level === undefined ? plan : { ...plan, wordLevel: level } };
      },
    },
  };
  const engine = createEngine(given);
  const events = async (): Promise<readonly Event[]> => {
    const all: Event[] = [];
    for await (const record of store.log.records(given.id)) all.push(...record.events);
    return all;
  };
  return {
    engine,
    files,
    events,
    pass: (seconds: number): void => {
      now += seconds * 1000;
    },
    open: () => engine.open(assistant, {}),
    complete: (request: CompleteRequest = {}, caller = assistant) => engine.complete(caller, request),
    completed: async () => (await events()).filter((event) => event.type === "completed"),
    /** What waits for people. */
    async waiting(): Promise<HandIn & { readonly waits: Waits }> {
      const handIn = (await engine.handIns()).find(({ waits }) => waits !== undefined);
      if (handIn?.waits === undefined) throw new Error("Nothing waits.");
      return { ...handIn, waits: handIn.waits };
    },
    now: () => new Date(now),
  };
}

type Bench = ReturnType<typeof bench>;

/** Hands something in that waits for a person. */
async function handedIn(desk: Bench, request: CompleteRequest = { outputs: { plan: "A" } }): Promise<Reply> {
  await desk.open();
  return desk.complete(request);
}

let nonces = 0;

/** What somebody signs about what waits; `changed`: what a forger writes instead. */
async function signedBy(
  { approver, secret }: typeof dana,
  desk: Bench,
  { decision = "approve", comment, ...changed }: Partial<Statement> = {},
): Promise<Signed> {
  const { ref, waits } = await desk.waiting();
  nonces += 1;
  const said = { decision, ...(comment === undefined ? {} : { comment }) };
  const seconds = waits.needs.expires === undefined ? {} : { seconds: waits.needs.expires };
  const about = { ...ref, project: waits.project, run: waits.run, digest: waits.digest };
  const made = statementFor(about, said, { now: desk.now(), nonce: `n${nonces}`, ...seconds });
  const statement: Statement = { ...made, ...changed };
  const signature = sign(null, Buffer.from(statementText(statement)), secret).toString("base64url");
  return { statement, proof: { kind: "ed25519", key: approver.key, signature } };
}

/** What a person answers to what waits. */
async function answerTo(desk: Bench, more: Partial<PersonsAnswer> = {}): Promise<PersonsAnswer> {
  const { ref, waits } = await desk.waiting();
  return { ref, digest: waits.digest, decision: "approve", ...more };
}

async function approves(desk: Bench, person: typeof dana, changed: Partial<Statement> = {}): Promise<Reply> {
  const signed = await signedBy(person, desk, changed);
  const { comment, decision = "approve" } = signed.statement;
  return desk.engine.answer(
    terminal,
    await answerTo(desk, { decision, signed, ...(comment === undefined ? {} : { comment }) }),
  );
}

describe("an answer at a terminal without a key", () => {
  test("completes what waits there and then, on record as elicited", async () => {
    const desk = bench();
    expect((await handedIn(desk)).outcome).toMatchObject({ kind: "awaiting", needs: { level: "relayed", count: 1 } });
    const reply = await desk.engine.answer(terminal, await answerTo(desk, { comment: "fine by me" }));
    expect(reply.outcome).toMatchObject({ kind: "completed", next: { step: "two" } });
    expect(await desk.completed()).toMatchObject([
      { step: "one", outputs: { plan: "A" }, by: "terminal", word: { level: "elicited", text: "fine by me" } },
    ]);
  });

  test("is enough where an answer of the person is asked for, and what the assistant passes on is not", async () => {
    const desk = bench({ level: "elicited" });
    const reply = await handedIn(desk, { confirmation: "they said yes" });
    expect(reply.outcome).toMatchObject({ kind: "awaiting", needs: { level: "elicited" }, below: "relayed" });
    expect((await desk.engine.answer(terminal, await answerTo(desk))).outcome.kind).toBe("completed");
  });

  test("the completion sent again by whoever held the step gets the answer of the completion, with a word or without", async () => {
    const desk = bench();
    const request = { outputs: { plan: "A" } };
    await handedIn(desk, request);
    await desk.engine.answer(terminal, await answerTo(desk));
    for (const again of [request, { ...request, confirmation: "approved" }, {}, { confirmation: "approved" }]) {
      const reply = await desk.complete(again);
      expect(reply.outcome).toMatchObject({ kind: "completed", ref: { step: "one" }, next: { step: "two" } });
    }
    const other = await desk.complete({ outputs: { plan: "B" } });
    expect(other.outcome).toMatchObject({ kind: "refused", refusal: { kind: "moved" } });
    expect(await desk.completed()).toHaveLength(1);
    expect((await desk.open()).outcome).toMatchObject({ kind: "opened", ref: { step: "two" } });
  });

  test("a no leaves the step open, and its reason is there until something else is handed in", async () => {
    const desk = bench();
    await handedIn(desk);
    const no = await desk.engine.answer(terminal, await answerTo(desk, { decision: "reject", comment: "too short" }));
    expect(no.outcome).toMatchObject({ kind: "refused", refusal: { kind: "declined", reason: "too short" } });
    const state = async () => (await desk.engine.glance()).runs.get("shape")?.steps.get("one");
    expect((await state())?.rejected).toMatchObject({ reason: "too short" });
    await desk.complete({});
    expect((await state())?.rejected).toMatchObject({ reason: "too short" });
    const same = await desk.complete({ confirmation: "they agree now" });
    expect(same.outcome).toMatchObject({ kind: "refused", refusal: { kind: "declined", reason: "too short" } });
    await desk.complete({ outputs: { plan: "longer" } });
    expect((await state())?.rejected).toBeUndefined();
  });

  test("an answer to what no longer waits is refused, and nothing is on record of it", async () => {
    const desk = bench();
    await handedIn(desk);
    const old = await answerTo(desk);
    await desk.complete({ outputs: { plan: "B" } });
    for (const decision of ["approve", "reject"] as const) {
      const reply = await desk.engine.answer(terminal, { ...old, decision });
      expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "other_hand_in" } });
    }
    expect((await desk.events()).map(({ type }) => type)).not.toContain("approved");
  });
});

describe("an answer that a key proves", () => {
  const proven: Setting = { needs: { level: "proven", count: 1 } };

  test("completes what waits, and the record says by whom, with which key, over what", async () => {
    const desk = bench(proven);
    await handedIn(desk, { outputs: { plan: "A" }, confirmation: "yes, they say" });
    expect((await approves(desk, dana, { comment: "good" })).outcome.kind).toBe("completed");
    const person = { name: "dana", key: dana.approver.key };
    expect(await desk.completed()).toMatchObject([{ word: { level: "proven", text: "good", by: [person] } }]);
    const approved = (await desk.events()).find(({ type }) => type === "approved");
    expect(approved).toMatchObject({ level: "proven", person, signed: { statement: { decision: "approve" } } });
  });

  test("no other word counts there, however it comes", async () => {
    const desk = bench(proven);
    await handedIn(desk);
    const ask = async (): Promise<Answer> => expect.unreachable("nobody is asked by a form that cannot be enough");
    const elicited = await desk.complete({ confirmation: "yes" }, { ...assistant, ask });
    expect(elicited.outcome).toMatchObject({ kind: "awaiting", needs: { level: "proven" }, below: "relayed" });
    const unsigned = await desk.engine.answer(terminal, await answerTo(desk));
    expect(unsigned.outcome).toMatchObject({ kind: "refused", refusal: { kind: "not_enough", why: "level" } });
    expect(await desk.completed()).toEqual([]);
  });

  test.each<[string, Partial<Statement>]>([
    ["project", { project: "e".repeat(64) }],
    ["run", { run: "bot/other" }],
    ["workflow", { workflow: "discovery" }],
    ["step", { step: "two" }],
    ["pass", { pass: 2 }],
    ["attempt", { attempt: 2 }],
    ["content", { digest: "e".repeat(64) }],
    ["time: it has expired", { expires: "2025-12-31T00:00:00.000Z" }],
  ])("a statement about another %s does not count", async (_, changed) => {
    const desk = bench(proven);
    await handedIn(desk);
    const reply = await approves(desk, dana, changed);
    expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "unproved" } });
    expect((await desk.events()).map(({ type }) => type)).not.toContain("approved");
  });

  test("a signed no is no yes, and a yes no no", async () => {
    const desk = bench(proven);
    await handedIn(desk);
    const [no, yes] = [await signedBy(dana, desk, { decision: "reject" }), await signedBy(dana, desk)];
    for (const asked of [
      await answerTo(desk, { signed: no }),
      await answerTo(desk, { signed: yes, decision: "reject" }),
    ])
      expect((await desk.engine.answer(terminal, asked)).outcome).toMatchObject({ refusal: { kind: "unproved" } });
  });

  test("a key that nobody trusts here proves nothing", async () => {
    const desk = bench(proven);
    await handedIn(desk);
    expect((await approves(desk, mallory)).outcome).toMatchObject({ refusal: { kind: "unproved" } });
  });

  test("only those who are named count, and as many as are asked for, each once", async () => {
    const desk = bench(
      { needs: { level: "proven", by: ["dana", "lee"], count: 2 } },
      trusting(dana.approver, lee.approver, mallory.approver),
    );
    await handedIn(desk);
    expect((await approves(desk, mallory)).outcome).toMatchObject({ refusal: { kind: "not_enough", why: "person" } });
    expect((await approves(desk, dana)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "dana" } }],
    });
    expect((await approves(desk, dana)).outcome.kind).toBe("awaiting");
    expect((await approves(desk, lee)).outcome.kind).toBe("completed");
    const [completed] = await desk.completed();
    expect(completed?.word.by?.map(({ name }) => name)).toEqual(["dana", "lee"]);
  });

  test("a yes is over once its time is, and when somebody says no", async () => {
    const desk = bench({ needs: { level: "proven", count: 2, expires: 60 } });
    await handedIn(desk);
    await approves(desk, dana);
    desk.pass(61);
    expect((await approves(desk, lee)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "lee" } }],
    });
    await approves(desk, dana, { decision: "reject" });
    await desk.complete({});
    expect((await approves(desk, dana)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "dana" } }],
    });
    expect(await desk.completed()).toEqual([]);
  });

  test("a statement counts once: sent again after a no it is refused", async () => {
    const desk = bench({ needs: { level: "proven", count: 2 } });
    await handedIn(desk);
    const signed = await signedBy(dana, desk);
    const asked = await answerTo(desk, { signed });
    await desk.engine.answer(terminal, asked);
    await approves(desk, lee, { decision: "reject" });
    await desk.complete({});
    expect((await desk.engine.answer(terminal, asked)).outcome).toMatchObject({
      refusal: { kind: "unproved", problem: "it was given before, and counts once" },
    });
  });

  test("somebody who is no longer trusted when it is counted counts no longer", async () => {
    const trusted = [dana.approver, lee.approver];
    const desk = bench(
      { needs: { level: "proven", count: 2 } },
      { proves: (signed) => trusting(...trusted).proves(signed) },
    );
    await handedIn(desk);
    await approves(desk, dana);
    trusted.shift();
    expect((await approves(desk, lee)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "lee" } }],
    });
  });

  test("a step that would go on by itself waits all the same where its gate asks for a person", async () => {
    const desk = bench({ ...proven, auto: true });
    expect((await handedIn(desk)).outcome.kind).toBe("awaiting");
    expect((await approves(desk, dana)).outcome.kind).toBe("completed");
  });
});

test("a file that changed after it was shown is not approved", async () => {
  const desk = bench();
  desk.files.set("plan.md", "as it was shown\n");
  await handedIn(desk, { content: [{ path: "plan.md" }] });
  const asked = await answerTo(desk);
  desk.files.set("plan.md", "something else\n");
  const reply = await desk.engine.answer(terminal, asked);
  expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "invalid_input" } });
  expect((await desk.events()).map(({ type }) => type)).not.toContain("approved");
});

test("whoever judges a text sees what it replaces", async () => {
  const desk = bench();
  desk.files.set("plan.md", "old\n");
  await handedIn(desk, { content: [{ path: "plan.md", text: "new\n" }] });
  const { waits, files } = await desk.waiting();
  expect(files).toMatchObject([{ path: "plan.md", text: "new\n", isNew: false }]);
  expect(waits.before).toEqual(new Map([["plan.md", "old\n"]]));
});

test("a call that has taken too long to ask anybody leaves the work waiting: nobody was asked in vain, so no relayed word counts yet", async () => {
  const { engine } = bench();
  const late = { id: "a", ask: async () => ({ kind: "late" }) as const };
  await engine.open(late, {});
  for (const request of [{}, { confirmation: "yes" }])
    expect((await engine.complete(late, request)).outcome).toMatchObject({ kind: "awaiting", unanswered: false });
});
