import { describe, expect, test } from "vitest";
import { inDatabase } from "../doors.ts";
import { placeOf, someWays } from "../hands.ts";
import { type Answering, closes, declines, no, personWho, yes } from "../person.ts";
import { makeProject } from "../project.ts";
import { openWindow, openWire } from "../window.ts";

const submitted = { outputs: { limits: ["no delivery", "one shop"], users: "Guests of a tea shop" } };

/** What a client may send without a person having answered. */
const nobody: [string, Answering][] = [
  ["cancel", closes],
  ["an accept without an answer", () => ({ action: "accept", content: {} })],
  ["an accept with nothing at all", () => ({ action: "accept" })],
  ["an accept with only a comment", () => ({ action: "accept", content: { comment: "no, not yet" } })],
  ["an answer that was not offered", () => ({ action: "accept", content: { answer: "maybe" } })],
];

/** A no sooner than anyone can read the question. */
const hasty: [string, Answering][] = [
  ["a hasty decline", () => ({ action: "decline" })],
  ["a hasty no", () => ({ action: "accept", content: { answer: "no" } })],
];

describe.each(someWays)("a no at once on %s (%s protocol)", (kind, era) => {
  test("a comment shows that a person gave it: it is a rejection, and the comment is its reason", async () => {
    const place = placeOf(kind);
    const { person } = personWho(() => ({ action: "accept", content: { answer: "no", comment: "wrong city" } }));
    const { handIn: submission } = await place.open({ era, person });
    const answer = await submission(submitted);
    expect(answer.verdict).toBe("rejected");
    expect(answer.said).toContain("wrong city");
    expect((await place.events()).filter(({ event }) => event === "declined")).toMatchObject([
      { reason: "wrong city" },
    ]);
  });

  test("an approval that is missing: the level, from whom and where are said", async () => {
    const relayed = await (await placeOf(kind).open({ era })).handIn(submitted);
    expect(relayed.said).toMatch(/relayed approval from one person is enough: ask them, then call complete_/i);
    const strict = placeOf(kind, { prepare: ({ write }) => write(".waymark/config.json", needed("elicited")) });
    const elicited = await (await strict.open({ era })).handIn({ ...submitted, confirmation: "They agree" });
    expect(elicited.verdict).toBe("waits");
    expect(elicited.said).toMatch(/from one person, given directly \(elicited, not relayed\).*waymark approve/s);
  });
});

const needed = (level: string) => ({ approvals: { level } });

describe.each(someWays)("a person's word on %s (%s protocol)", (kind, era) => {
  test("the form asks for yes or no and takes a comment; yes completes, on record as elicited, with comment and client", async () => {
    const place = placeOf(kind);
    const { person, questions, forms } = personWho(yes("fine by me"));
    const { handIn: submission } = await place.open({ era, person });
    expect((await submission({ ...submitted, confirmation: "They nodded" })).verdict).toBe("completed");
    expect(questions).toHaveLength(1);
    const [form] = forms as { type: string; required: string[]; properties: Record<string, Field> }[];
    expect(form).toMatchObject({ type: "object", required: ["answer"] });
    expect(Object.keys(form?.properties ?? {})).toEqual(["answer", "comment"]);
    // A host that has the first one chosen beforehand has the no chosen.
    expect(choicesOf(form?.properties.answer)).toEqual(["no", "yes"]);
    expect(form?.properties.comment?.type).toBe("string");
    expect((await place.word()).level).toBe("elicited");
    expect(await place.completion()).toContain("fine by me");
    expect(await place.completion()).toContain("waymark-tests");
  });

  // Attack (tools): Turn a person's no into a yes: chosen, declined, or typed at the terminal of Claude Code or Codex
  // -> Refused for that submission, from any window
  test("a typed no never completes: it is refused, and the reason reaches the assistant and the record", async () => {
    const place = placeOf(kind);
    const { person } = personWho(no("not before Dana has read it"));
    const { handIn: submission } = await place.open({ era, person });
    const answer = await submission({ ...submitted, confirmation: "The user agreed" });
    expect(answer).toMatchObject({ verdict: "rejected", isError: true });
    expect(answer.said).toContain("not before Dana has read it");
    expect(place.stands()).toBe(true);
    const declined = (await place.events()).filter(({ event }) => event === "declined");
    expect(declined).toMatchObject([{ reason: "not before Dana has read it" }]);
  });

  test.each([
    ["a typed no", no("count again")],
    ["a decline", declines],
  ])(
    "after %s no confirmation counts for that hand-in, from any window and in any order of keys",
    async (_, answer) => {
      const place = placeOf(kind);
      const { person } = personWho(answer);
      const first = await place.open({ era, person });
      expect((await first.handIn(submitted)).verdict).toBe("rejected");
      expect((await first.handIn({ ...submitted, confirmation: "They said yes after all" })).verdict).not.toBe(
        "completed",
      );
      const second = await place.open({ era });
      const { users, limits } = submitted.outputs;
      const turned = { outputs: { users, limits }, confirmation: "They said yes after all" };
      expect((await second.handIn(turned)).verdict).toBe("rejected");
      expect(place.stands()).toBe(true);
      const mended = { outputs: { users: "Guests and staff" }, confirmation: "Now they agree" };
      expect((await second.handIn(mended)).verdict).toBe("completed");
      expect(await place.word()).toMatchObject({ level: "relayed" });
    },
  );

  test("a no is about what was shown: handed in otherwise, the person is asked again and may say yes", async () => {
    const place = placeOf(kind);
    const { person, questions } = personWho(no("who else?"), yes());
    const { handIn: submission } = await place.open({ era, person });
    expect((await submission(submitted)).verdict).toBe("rejected");
    expect((await submission({ outputs: { users: "Guests and staff" } })).verdict).toBe("completed");
    expect(questions).toHaveLength(2);
    expect(questions[1]).toContain("Guests and staff");
  });

  test.each([
    ["what is no answer", nobody],
    // On a machine that takes more than 250 ms to send an answer on, a hasty no is not to be told from a considered one.
    ["a no that nobody can have considered", hasty],
  ])(
    "%s: not asked again about it here, no no on record, and a later confirmation counts",
    { retry: 3 },
    async (_, said) => {
      const place = placeOf(kind);
      const { person, questions } = personWho(...said.map(([, answer]) => answer));
      const { handIn: submission } = await place.open({ era, person });
      for (const [index, [what]] of said.entries()) {
        const outputs = { round: index };
        const answer = await submission({ outputs, confirmation: "They said yes" });
        expect.soft([answer.verdict, answer.isError, questions.length], what).toEqual(["waits", false, index + 1]);
        const again = await submission({ outputs });
        expect.soft([again.verdict, questions.length], `${what}, handed in again`).toEqual(["waits", index + 1]);
      }
      expect(place.stands()).toBe(true);
      expect((await place.events()).map(({ event }) => event)).not.toContain("declined");
      const last = { round: said.length - 1 };
      expect((await submission({ outputs: last, confirmation: "Yes, says Lee" })).verdict).toBe("completed");
      expect(questions).toHaveLength(said.length);
      const word = await place.word();
      expect(word.level).toBe("relayed");
      expect(JSON.stringify(word)).toContain("Yes, says Lee");
    },
  );

  test("nobody's answer is about what was shown: handed in otherwise, the person is asked", async () => {
    const place = placeOf(kind);
    const { person, questions } = personWho(closes, yes("now I see it"));
    const { handIn: submission } = await place.open({ era, person });
    expect((await submission(submitted)).verdict).toBe("waits");
    expect((await submission({ outputs: { users: "Guests and staff" } })).verdict).toBe("completed");
    expect(questions).toHaveLength(2);
    expect((await place.word()).level).toBe("elicited");
  });

  test("the order of keys does not matter: what was shown is asked about once", async () => {
    const { person, questions } = personWho(yes(), yes(), yes());
    const { handIn: submission } = await placeOf(kind).open({ era, person });
    const outputs = { zeta: { b: 1, a: [{ y: 1, x: 2 }] }, alpha: "first", middle: true };
    expect((await submission({ outputs })).verdict).toBe("completed");
    expect(questions).toHaveLength(1);
  });

  // Attack (tools): Use a person's yes for something else than they were shown
  // -> Refused: they are asked again
  test("a yes is bound to what was shown: something else handed in meanwhile is asked about again", async () => {
    const place = placeOf(kind);
    const other = await place.open({ era });
    const { person, questions } = personWho(async () => {
      expect((await other.handIn({ outputs: { deposits: "none" } })).verdict).toBe("waits");
      return { action: "accept", content: { answer: "yes" } };
    }, yes("with the deposits"));
    const { handIn: submission } = await place.open({ era, person });
    expect((await submission(submitted)).verdict).toBe("completed");
    expect(questions).toHaveLength(2);
    expect(questions[0]).not.toContain("deposits");
    expect(questions[1]).toContain("deposits");
    expect(await place.outputs()).toMatchObject({ users: "Guests of a tea shop", deposits: "none" });
  });

  test("a yes is bound to the text of the files: another text handed in meanwhile is asked about again", async () => {
    const place = placeOf(kind);
    const other = await place.open({ era });
    const { person, questions } = personWho(async () => {
      const content = [{ path: "docs/other.md", text: "# Other\n" }];
      expect((await other.handIn({ content })).verdict).toBe("waits");
      return { action: "accept", content: { answer: "yes" } };
    });
    const { handIn: submission } = await place.open({ era, person });
    expect((await submission({ content: [{ path: "docs/map.md", text: "# Map\n" }] })).verdict).toBe("waits");
    expect(questions).toHaveLength(2);
    expect(place.stands()).toBe(true);
  });

  test.skipIf(inDatabase("what is new is what nobody has handed in there"))(
    "the question names the step, what is handed in, the files, and where it is shown whole",
    async () => {
      const place = placeOf(kind, { prepare: ({ write }) => write("docs/old.md", "# Old\n") });
      const { person, questions } = personWho(yes());
      const { handIn: submission } = await place.open({ era, person });
      await submission({
        outputs: { report: `The guest comes in.\n${"And finds a place. ".repeat(60)}`, seats: 24 },
        content: [
          { path: "docs/map.md", text: "# Map\n\nTea.\n" },
          { path: "docs/old.md", text: "# Old\nMore.\n" },
        ],
      });
      const [question = ""] = questions;
      const lines = question.split("\n");
      const lineOf = (word: string): string => lines.find((line) => line.includes(word)) ?? "";
      expect(question).toContain(place.step);
      expect(lineOf("report")).toContain("The guest comes in.");
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(250);
      expect(question).toMatch(/seats.*24/);
      expect(lineOf("docs/map.md")).toMatch(/\b3 lines?\b/);
      expect(lineOf("docs/map.md")).toMatch(/\bnew\b/);
      expect(lineOf("docs/old.md")).toMatch(/\b2 lines?\b/);
      expect(lineOf("docs/old.md")).not.toMatch(/(?<!not )\bnew\b/);
      expect(question).toContain("waymark show");
      if (kind === "phase") expect(question).toMatch(/zanzibar1quux_count.*1/);
    },
  );

  test("the question has at most 2,000 characters, whatever is handed in, and still says where to see it whole", async () => {
    const place = placeOf(kind);
    const { person, questions } = personWho(yes());
    const { handIn: submission } = await place.open({ era, person });
    const many = Array.from({ length: 40 }, (_, at) => at);
    await submission({
      outputs: Object.fromEntries(many.map((at) => [`answer_${at}_${"x".repeat(60)}`, "a long answer ".repeat(50)])),
      content: many.map((at) => ({ path: `docs/${"deep/".repeat(10)}page-${at}.md`, text: `# ${at}\n` })),
      confirmation: "They said yes to all of it. ".repeat(300),
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]?.length).toBeLessThanOrEqual(2000);
    expect(questions[0]).toContain(place.step);
    expect(questions[0]).toContain("waymark show");
  });
});

describe("an answer that a client of the newest protocol returns by itself", () => {
  type Result = { inputRequests?: Record<string, unknown>; requestState?: string; structuredContent?: unknown };

  /** A bare connection that speaks the newest protocol, and can send any answer with any call. */
  async function bare(): Promise<(args: object, more?: object) => Promise<Result>> {
    const place = placeOf("action");
    const wire = openWire(place.project.root);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const call = (name: string, args: object, more: object): Promise<Result> =>
      wire.request("tools/call", { name, arguments: args, _meta: meta, ...more });
    await call("story_bot", {}, {});
    return (args, more = {}) => call("complete_action", args, more);
  }

  const sayingYes = ({ inputRequests = {} }: Result): object =>
    Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: "accept", content: { answer: "yes" } }]),
    );

  test("counts for the question it was given to, and for no other hand-in", async () => {
    const complete = await bare();
    const asked = await complete({ outputs: { users: "guests" } });
    expect(Object.keys(asked.inputRequests ?? {})).toHaveLength(1);
    const inputResponses = sayingYes(asked);
    const { requestState } = asked;
    const other = await complete({ outputs: { users: "staff" } }, { inputResponses, requestState });
    expect(Object.keys(other.inputRequests ?? {})).toHaveLength(1);
    expect(other.requestState).not.toBe(requestState);
    const answered = { inputResponses: sayingYes(other), requestState: other.requestState };
    const again = await complete({ outputs: { users: "staff" } }, answered);
    expect(again.structuredContent).toMatchObject({ status: "completed" });
  });

  test("does not count where nobody was asked", async () => {
    const complete = await bare();
    const inputResponses = sayingYes({ inputRequests: { word: {} } });
    for (const requestState of [undefined, "", "0123456789abcdef"]) {
      const reply = await complete({}, { inputResponses, ...(requestState === undefined ? {} : { requestState }) });
      expect(JSON.stringify(reply)).not.toMatch(/"status":"completed"/);
    }
  });
});

describe("the word and the rest of the gate", () => {
  test("the question about an action says how its rules stand", async () => {
    const place = placeOf("action", {
      prepare: ({ write }) => {
        write(".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json", {
          name: "plain_words",
          description: "Say it plainly",
          examples: [{ do: "use", dont: "leverage" }],
          checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
        });
      },
    });
    const { person, questions } = personWho(yes(), yes(), yes(), yes(), yes(), yes());
    const { window, handIn: submission } = await place.open({ person });
    await submission();
    for (let step = 0; step < 2; step++) {
      await window.call("story_bot");
      await submission();
    }
    await window.call("story_bot");
    await submission({ content: [{ path: "map.md", text: "We leverage tea.\n" }] });
    await window.call("story_bot");
    expect((await submission()).verdict).toBe("completed");
    expect(questions.at(-1)).toMatch(/plain_words.*map\.md/);
  });

  test("nobody is asked while evidence is missing", async () => {
    const { person, questions } = personWho(yes());
    const { handIn: submission } = await placeOf("phase").open({ person });
    expect((await submission({ evidence: {} })).verdict).toBe("incomplete_checkpoint");
    expect(questions).toEqual([]);
  });

  test("a decline within 20 ms is nobody's no, whatever the client calls itself", { retry: 3 }, async () => {
    for (const name of ["github-copilot-developer", "codex-mcp-client", "some-editor"]) {
      const place = placeOf("action");
      const window = await openWindow(place.project.root, { name, person: () => ({ action: "decline" }) });
      await window.call("story_bot");
      expect((await window.call("complete_action", { confirmation: "yes" })).status, name).toBe("awaiting_human");
    }
  });
});

type Field = { type?: string; enum?: string[]; oneOf?: { const: string }[] };

function choicesOf({ enum: listed, oneOf = [] }: Field = {}): string[] {
  return listed ?? oneOf.map((one) => one.const);
}

test("a caller that finds a submitted step waiting for approval is told so, beside the question", async () => {
  const project = makeProject();
  const one = await openWindow(project.root);
  await one.call("story_bot");
  const before = await openWindow(project.root);
  expect((await before.call("story_bot")).instructions).not.toContain("waiting for approval");
  expect(await one.call("complete_action", { outputs: { users: "guests" } })).toMatchObject({
    status: "awaiting_human",
  });
  await one.close();
  const two = await openWindow(project.root);
  const found = await two.call("story_bot");
  expect(found.status).toBe("interrupted");
  expect(found.instructions).toContain("gather_context was started but not completed. Retry or continue?");
  expect(found.instructions).toMatch(
    /It was submitted and has been waiting for approval since \d{4}-[^ ]+Z: "continue" keeps it, "retry" discards it\./,
  );
});
