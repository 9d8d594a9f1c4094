import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ApprovalRule, Person } from "../gates/approval-rule.ts";
import { type SignedStatement, type Statement, statementFor, statementText } from "../gates/approval-statement.ts";
import type { Gate } from "../gates/gate.ts";
import { type Approver, keyFingerprint } from "../people/approver.ts";
import { verifyProof } from "../people/verify-proof.ts";
import { memoryStore } from "../stores/memory/memory-store.ts";
import type { Event } from "../workflow/events.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { AnswerRequest } from "./answer-request.ts";
import type { CallerContext, PersonAnswer } from "./caller.ts";
import { createEngine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";
import type { EngineDeps, People } from "./engine-deps.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import type { ApprovalWait, SubmissionReview } from "./submissions.ts";

const assistant: CallerContext = { id: "assistant", client: "a host" };
const terminal: CallerContext = { id: "terminal", client: "waymark" };

/** A person with their own key. */
function personOf(name: string): { readonly approver: Approver; readonly secret: KeyObject } {
  const { privateKey: secret, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const parts = { key: keyFingerprint(spki), public: spki.toString("base64"), enrolled: "2026-01-01T00:00:00.000Z" };
  return { approver: { name, kind: "ed25519", ...parts }, secret };
}

const [dana, lee, mallory] = [personOf("dana"), personOf("lee"), personOf("mallory")];

/** The people trusted here. */
function trusting(...trusted: readonly Approver[]): People {
  return {
    findSigner: async (signed) => {
      const approver = trusted.find(({ key }) => key === signed.proof.key);
      if (approver === undefined) return { problem: "no approver trusted here has that key" };
      const verdict = verifyProof(signed, approver);
      return verdict === true ? ({ name: approver.name, key: approver.key } satisfies Person) : { problem: verdict };
    },
  };
}

type Setting = { readonly needs?: ApprovalRule; readonly level?: Plan["approvalLevel"]; readonly auto?: boolean };

/** A bot with two steps, the first of which needs approval. */
function bench({ needs, level, auto = false }: Setting = {}, people: People = trusting(dana.approver, lee.approver)) {
  const files = new Map<string, string>();
  const store = memoryStore(files);
  let now = Date.parse("2026-01-01T00:00:00Z");
  const parts = engineDepsWith(store);
  const gate: Gate = {
    requirements: [],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: needs !== undefined,
    ...(needs === undefined ? {} : { approvalNeeds: needs }),
  };
  const given: EngineDeps = {
    ...parts,
    people,
    clock: () => new Date(now),
    definitions: {
      ...parts.definitions,
      plan: async (history) => {
        const reading = await parts.definitions.plan(history);
        const steps = ["one", "two"].map((name) => ({ name, auto, ...(needs === undefined ? {} : { gate }) }));
        const plan = { ...reading.plan, workflows: [{ name: "shape", steps }] };
        return { ...reading, plan: level === undefined ? plan : { ...plan, approvalLevel: level } };
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
    /** The submission waiting for approval. */
    async waiting(): Promise<SubmissionReview & { readonly waits: ApprovalWait }> {
      const submission = (await engine.submissions()).find(({ waits }) => waits !== undefined);
      if (submission?.waits === undefined) throw new Error("Nothing waits.");
      return { ...submission, waits: submission.waits };
    },
    now: () => new Date(now),
  };
}

type Bench = ReturnType<typeof bench>;

/** Submits something that then waits for approval. */
async function submitted(stream: Bench, request: CompleteRequest = { outputs: { plan: "A" } }): Promise<Reply> {
  await stream.open();
  return stream.complete(request);
}

let nonces = 0;

/** A signed statement about the waiting submission; `changed`: what a forger writes instead. */
async function signedBy(
  { approver, secret }: typeof dana,
  stream: Bench,
  { decision = "approve", comment, ...changed }: Partial<Statement> = {},
): Promise<SignedStatement> {
  const { ref, waits } = await stream.waiting();
  nonces += 1;
  const said = { decision, ...(comment === undefined ? {} : { comment }) };
  const seconds = waits.needs.expires === undefined ? {} : { seconds: waits.needs.expires };
  const about = { ...ref, project: waits.project, first: waits.first, run: waits.run, digest: waits.digest };
  const made = statementFor(about, said, { now: stream.now(), nonce: `n${nonces}`, ...seconds });
  const statement: Statement = { ...made, ...changed };
  const signature = sign(null, Buffer.from(statementText(statement)), secret).toString("base64url");
  return { statement, proof: { kind: "ed25519", key: approver.key, signature } };
}

/** A person's answer to the waiting submission. */
async function answerTo(stream: Bench, more: Partial<AnswerRequest> = {}): Promise<AnswerRequest> {
  const { ref, waits } = await stream.waiting();
  return { ref, digest: waits.digest, decision: "approve", ...more };
}

async function approves(stream: Bench, person: typeof dana, changed: Partial<Statement> = {}): Promise<Reply> {
  const signed = await signedBy(person, stream, changed);
  const { comment, decision = "approve" } = signed.statement;
  return stream.engine.answer(
    terminal,
    await answerTo(stream, { decision, signed, ...(comment === undefined ? {} : { comment }) }),
  );
}

describe("an answer at a terminal without a key", () => {
  test("completes the waiting submission at once, recorded as elicited", async () => {
    const stream = bench();
    expect((await submitted(stream)).outcome).toMatchObject({
      kind: "awaiting",
      needs: { level: "relayed", count: 1 },
    });
    const reply = await stream.engine.answer(terminal, await answerTo(stream, { comment: "fine by me" }));
    expect(reply.outcome).toMatchObject({ kind: "completed", next: { step: "two" } });
    expect(await stream.completed()).toMatchObject([
      { step: "one", outputs: { plan: "A" }, by: "terminal", word: { level: "elicited", text: "fine by me" } },
    ]);
  });

  test("is enough where a direct answer is required, and a relayed one is not", async () => {
    const stream = bench({ level: "elicited" });
    const reply = await submitted(stream, { confirmation: "they said yes" });
    expect(reply.outcome).toMatchObject({
      kind: "awaiting",
      needs: { level: "elicited" },
      insufficientLevel: "relayed",
    });
    expect((await stream.engine.answer(terminal, await answerTo(stream))).outcome.kind).toBe("completed");
  });

  test("a completion sent again by the caller that held the step gets the same reply, with an approval or without", async () => {
    const stream = bench();
    const request = { outputs: { plan: "A" } };
    await submitted(stream, request);
    await stream.engine.answer(terminal, await answerTo(stream));
    for (const again of [request, { ...request, confirmation: "approved" }, {}, { confirmation: "approved" }]) {
      const reply = await stream.complete(again);
      expect(reply.outcome).toMatchObject({ kind: "completed", ref: { step: "one" }, next: { step: "two" } });
    }
    const other = await stream.complete({ outputs: { plan: "B" } });
    expect(other.outcome).toMatchObject({ kind: "refused", refusal: { kind: "moved" } });
    expect(await stream.completed()).toHaveLength(1);
    expect((await stream.open()).outcome).toMatchObject({ kind: "opened", ref: { step: "two" } });
  });

  test("a rejection leaves the step open, and its reason stays until something else is submitted", async () => {
    const stream = bench();
    await submitted(stream);
    const no = await stream.engine.answer(
      terminal,
      await answerTo(stream, { decision: "reject", comment: "too short" }),
    );
    expect(no.outcome).toMatchObject({ kind: "refused", refusal: { kind: "declined", reason: "too short" } });
    const state = async () => (await stream.engine.peek()).runs.get("shape")?.steps.get("one");
    expect((await state())?.rejection).toMatchObject({ reason: "too short" });
    await stream.complete({});
    expect((await state())?.rejection).toMatchObject({ reason: "too short" });
    const same = await stream.complete({ confirmation: "they agree now" });
    expect(same.outcome).toMatchObject({ kind: "refused", refusal: { kind: "declined", reason: "too short" } });
    await stream.complete({ outputs: { plan: "longer" } });
    expect((await state())?.rejection).toBeUndefined();
  });

  test("an answer to a submission that no longer waits is refused, and nothing is recorded", async () => {
    const stream = bench();
    await submitted(stream);
    const old = await answerTo(stream);
    await stream.complete({ outputs: { plan: "B" } });
    for (const decision of ["approve", "reject"] as const) {
      const reply = await stream.engine.answer(terminal, { ...old, decision });
      expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "other_submission" } });
    }
    expect((await stream.events()).map(({ type }) => type)).not.toContain("approved");
  });
});

describe("an answer that a key proves", () => {
  const proven: Setting = { needs: { level: "proven", count: 1 } };

  test("completes the waiting submission, and the record says by whom, with which key, over what", async () => {
    const stream = bench(proven);
    await submitted(stream, { outputs: { plan: "A" }, confirmation: "yes, they say" });
    expect((await approves(stream, dana, { comment: "good" })).outcome.kind).toBe("completed");
    const person = { name: "dana", key: dana.approver.key };
    expect(await stream.completed()).toMatchObject([{ word: { level: "proven", text: "good", by: [person] } }]);
    const approved = (await stream.events()).find(({ type }) => type === "approved");
    expect(approved).toMatchObject({ level: "proven", person, signed: { statement: { decision: "approve" } } });
  });

  test("no other approval counts there, however it comes", async () => {
    const stream = bench(proven);
    await submitted(stream);
    const ask = async (): Promise<PersonAnswer> =>
      expect.unreachable("nobody is asked by a form that cannot be enough");
    const elicited = await stream.complete({ confirmation: "yes" }, { ...assistant, ask });
    expect(elicited.outcome).toMatchObject({
      kind: "awaiting",
      needs: { level: "proven" },
      insufficientLevel: "relayed",
    });
    const unsigned = await stream.engine.answer(terminal, await answerTo(stream));
    expect(unsigned.outcome).toMatchObject({ kind: "refused", refusal: { kind: "not_enough", why: "level" } });
    expect(await stream.completed()).toEqual([]);
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
    const stream = bench(proven);
    await submitted(stream);
    const reply = await approves(stream, dana, changed);
    expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "unproved" } });
    expect((await stream.events()).map(({ type }) => type)).not.toContain("approved");
  });

  test("a signed rejection is no approval, and an approval no rejection", async () => {
    const stream = bench(proven);
    await submitted(stream);
    const [no, yes] = [await signedBy(dana, stream, { decision: "reject" }), await signedBy(dana, stream)];
    for (const asked of [
      await answerTo(stream, { signed: no }),
      await answerTo(stream, { signed: yes, decision: "reject" }),
    ])
      expect((await stream.engine.answer(terminal, asked)).outcome).toMatchObject({ refusal: { kind: "unproved" } });
  });

  test("a key that is not trusted here proves nothing", async () => {
    const stream = bench(proven);
    await submitted(stream);
    expect((await approves(stream, mallory)).outcome).toMatchObject({ refusal: { kind: "unproved" } });
  });

  test("only the named people count, as many as required, each once", async () => {
    const stream = bench(
      { needs: { level: "proven", by: ["dana", "lee"], count: 2 } },
      trusting(dana.approver, lee.approver, mallory.approver),
    );
    await submitted(stream);
    expect((await approves(stream, mallory)).outcome).toMatchObject({ refusal: { kind: "not_enough", why: "person" } });
    expect((await approves(stream, dana)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "dana" } }],
    });
    expect((await approves(stream, dana)).outcome.kind).toBe("awaiting");
    expect((await approves(stream, lee)).outcome.kind).toBe("completed");
    const [completed] = await stream.completed();
    expect(completed?.word.by?.map(({ name }) => name)).toEqual(["dana", "lee"]);
  });

  test("an approval ends when it expires, and when a person rejects", async () => {
    const stream = bench({ needs: { level: "proven", count: 2, expires: 60 } });
    await submitted(stream);
    await approves(stream, dana);
    stream.pass(61);
    expect((await approves(stream, lee)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "lee" } }],
    });
    await approves(stream, dana, { decision: "reject" });
    await stream.complete({});
    expect((await approves(stream, dana)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "dana" } }],
    });
    expect(await stream.completed()).toEqual([]);
  });

  test("a statement counts once: sent again after a rejection it is refused", async () => {
    const stream = bench({ needs: { level: "proven", count: 2 } });
    await submitted(stream);
    const signed = await signedBy(dana, stream);
    const asked = await answerTo(stream, { signed });
    await stream.engine.answer(terminal, asked);
    await approves(stream, lee, { decision: "reject" });
    await stream.complete({});
    expect((await stream.engine.answer(terminal, asked)).outcome).toMatchObject({
      refusal: { kind: "unproved", problem: "it was used before, and counts only once" },
    });
  });

  test("a person who is no longer trusted when approvals are counted does not count", async () => {
    const trusted = [dana.approver, lee.approver];
    const stream = bench(
      { needs: { level: "proven", count: 2 } },
      { findSigner: (signed) => trusting(...trusted).findSigner(signed) },
    );
    await submitted(stream);
    await approves(stream, dana);
    trusted.shift();
    expect((await approves(stream, lee)).outcome).toMatchObject({
      kind: "awaiting",
      given: [{ person: { name: "lee" } }],
    });
  });

  test("a step that would continue by itself still waits if its gate requires approval", async () => {
    const stream = bench({ ...proven, auto: true });
    expect((await submitted(stream)).outcome.kind).toBe("awaiting");
    expect((await approves(stream, dana)).outcome.kind).toBe("completed");
  });
});

test("a file that changed after it was shown is not approved", async () => {
  const stream = bench();
  stream.files.set("plan.md", "as it was shown\n");
  await submitted(stream, { content: [{ path: "plan.md" }] });
  const asked = await answerTo(stream);
  stream.files.set("plan.md", "something else\n");
  const reply = await stream.engine.answer(terminal, asked);
  expect(reply.outcome).toMatchObject({ kind: "refused", refusal: { kind: "invalid_input" } });
  expect((await stream.events()).map(({ type }) => type)).not.toContain("approved");
});

test("a person who reviews a text sees what it replaces", async () => {
  const stream = bench();
  stream.files.set("plan.md", "old\n");
  await submitted(stream, { content: [{ path: "plan.md", text: "new\n" }] });
  const { waits, files } = await stream.waiting();
  expect(files).toMatchObject([{ path: "plan.md", text: "new\n", isNew: false }]);
  expect(waits.before).toEqual(new Map([["plan.md", "old\n"]]));
});

test("a call that took too long to ask leaves the submission waiting: the question was not asked, so no relayed approval counts yet", async () => {
  const { engine } = bench();
  const late = { id: "a", ask: async () => ({ kind: "late" }) as const };
  await engine.open(late, {});
  for (const request of [{}, { confirmation: "yes" }])
    expect((await engine.complete(late, request)).outcome).toMatchObject({ kind: "awaiting", unanswered: false });
});
