import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inDatabase, overHttp } from "../doors.ts";
import { kinds, placeOf, someWays } from "../hands.ts";
import { sitDown } from "../people.ts";
import { closes, declines, personWho, yes } from "../person.ts";
import { callPhase, evidenceFor, plantWorkflow } from "../phased.ts";
import type { Project } from "../project.ts";
import { newer, openWindow, openWire } from "../window.ts";

const submitted = { outputs: { users: "guests" }, content: [{ path: "docs/map.md", text: "# Map\n" }] };

describe.each(someWays)("an assistant that wants a yes nobody gave, at an %s (%s protocol)", (kind, era) => {
  test.skipIf(overHttp("nobody hands in a file without its text"))(
    "a file that is handed in without text and changes while the person reads is asked about again",
    async () => {
      const place = placeOf(kind, { prepare: ({ write }) => write("docs/map.md", "# Shown\n") });
      const { person, questions } = personWho(() => {
        place.project.write("docs/map.md", "# Not shown, and longer\nby a line\n");
        return { action: "accept", content: { answer: "yes" } };
      }, closes);
      const { handIn: submission } = await place.open({ era, person });
      const answer = await submission({ content: [{ path: "docs/map.md" }] });
      expect([answer.verdict, questions.length, place.stands()]).toEqual(["waits", 2, true]);
    },
  );

  test("two windows, a person at each, who both say yes: it counts once, with what was shown there", async () => {
    const place = placeOf(kind);
    const hands = await Promise.all(
      [1, 2].map(() => place.open({ era, person: personWho(yes(), yes(), yes()).person })),
    );
    const answers = await Promise.all(
      hands.map(({ handIn: submission }, at) => submission({ outputs: { [`by_${at}`]: true } })),
    );
    expect(answers.filter(({ verdict }) => verdict === "completed")).toHaveLength(1);
    expect(answers.map(({ verdict }) => verdict)).toContain("conflict");
  });

  test("after a no, the same in a new process, after a cancelled question, is still refused", async () => {
    const place = placeOf(kind);
    const first = await place.open({ era, person: personWho(declines).person });
    expect((await first.handIn(submitted)).verdict).toBe("rejected");
    await first.window.close();
    const second = await place.open({ era, person: personWho(closes).person });
    expect((await second.handIn({ ...submitted, confirmation: "They agree" })).verdict).not.toBe("completed");
    expect((await second.handIn({ ...submitted, confirmation: "They agree" })).verdict).toBe("rejected");
    expect(place.stands()).toBe(true);
  });

  test.each(["", " ", "\u200b", "\u2800\u3164"])("%j is no word", async (confirmation) => {
    const place = placeOf(kind);
    const { handIn: submission } = await place.open({ era });
    expect((await submission({ confirmation })).verdict).toBe("waits");
    expect(place.stands()).toBe(true);
  });
});

describe("a no, and then a new beginning", () => {
  test.each<[string, (project: Project) => Promise<object>]>([
    ["retry", async () => ({ resume: "retry" })],
    [
      "a deleted state file",
      async (project) => {
        rmSync(project.path("workflow_state.json"));
        return {};
      },
    ],
    [
      "an edited state file",
      async (project) => {
        const { completed_actions: _, ...state } = project.state();
        project.write("workflow_state.json", {
          ...state,
          action_state: "started",
          completed_actions: [],
          timestamp: "2026-02-02T00:00:00.000Z",
        });
        return { resume: "retry" };
      },
    ],
  ])("%s does not make a yes of it that an assistant passes on", async (_, again) => {
    const place = placeOf("action");
    const first = await place.open({ person: personWho(declines).person });
    expect((await first.handIn(submitted)).verdict).toBe("rejected");
    const second = await openWindow(place.project.root);
    await second.call("story_bot", { ...(await again(place.project)) });
    const answer = await second.call("complete_action", { ...submitted, confirmation: "They agree" });
    expect(answer).toMatchObject({ status: "refused", error: "approval_rejected" });
    const other = await second.call("complete_action", { outputs: { users: "staff" }, confirmation: "They agree" });
    expect(other.status).toBe("completed");
  });

  test.skipIf(overHttp("a terminal of its own has no store named"))("back to the phase does not either", async () => {
    const place = placeOf("phase");
    const { handIn: submission, window } = await place.open({ person: personWho(declines, yes()).person });
    expect((await submission(submitted)).verdict).toBe("rejected");
    expect((await submission({ outputs: { users: "staff" } })).verdict).toBe("completed");
    const { sessions = [] } = await callPhase(window, "get_workflow_state");
    const session = sessions[0]?.session_id ?? "";
    await sitDown().runs(place.project, ["back", "--yes", "--session", session, "1"]).ends();
    const second = await place.open();
    expect((await second.handIn({ ...submitted, confirmation: "They agree" })).verdict).toBe("rejected");
  });
});

describe("an answer that is used again (2026 protocol)", () => {
  type Result = { inputRequests?: object; requestState?: string; structuredContent?: unknown };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const caller = (root: string) => {
    const wire = openWire(root);
    return (name: string, args: object, more: object = {}): Promise<Result> =>
      wire.request("tools/call", { name, arguments: args, _meta: meta, ...more });
  };
  const saying = ({ requestState }: Result) => ({
    requestState,
    inputResponses: { word: { action: "accept", content: { answer: "yes" } } },
  });

  test("does not count in another session, at another phase or in another process", async () => {
    const { root } = plantWorkflow({ phases: 3, approval: [1, 2] });
    const [call, elsewhere] = [caller(root), caller(root)];
    const sessions = await Promise.all(
      ["a.ts", "b.ts"].map(async (target_file) => {
        const { structuredContent } = await call("start_workflow", { workflow_type: "survey", target_file });
        return (structuredContent as { session_id: string }).session_id;
      }),
    );
    const phase = (session_id: string | undefined, number: number) => ({
      session_id,
      phase: number,
      evidence: evidenceFor(number),
    });
    const asked = await call("complete_phase", phase(sessions[0], 1));
    expect(asked.inputRequests).toBeDefined();
    expect((await call("complete_phase", phase(sessions[1], 1), saying(asked))).inputRequests).toBeDefined();
    expect((await elsewhere("complete_phase", phase(sessions[0], 1), saying(asked))).inputRequests).toBeDefined();
    const done = await call("complete_phase", phase(sessions[0], 1), saying(asked));
    expect(done.structuredContent).toMatchObject({ checkpoint_passed: true, next_phase: 2 });
    expect((await call("complete_phase", phase(sessions[0], 2), saying(asked))).inputRequests).toBeDefined();
  });

  test("does not count for another attempt at the action", async () => {
    const { project } = placeOf("action");
    const call = caller(project.root);
    await call("story_bot", {});
    const asked = await call("complete_action", submitted);
    await call("story_bot", { action: "gather_context", resume: "retry" });
    const again = await call("complete_action", submitted, saying(asked));
    expect(again.inputRequests).toBeDefined();
    const completed = await call("complete_action", submitted, saying(again));
    expect(completed.structuredContent).toMatchObject({ status: "completed" });
  });
});

describe.each(newer)("what is handed in is neither lost nor exchanged (%s protocol)", (era) => {
  test("a file at the place of our own readable record stays what it is, completed by a later call", async () => {
    const place = placeOf("action");
    const { handIn: submission } = await place.open({ era });
    const path = "story_bot/shape/gather_context.md";
    await submission({ outputs: { users: "staff" }, content: [{ path, text: "# Mine\n" }] });
    expect((await submission({ confirmation: "yes" })).verdict).toBe("completed");
    expect(place.project.read(path)).toBe("# Mine\n");
  });

  test.each(kinds)("a call that is not taken keeps what was handed in before, and says so (%s)", async (kind) => {
    const place = placeOf(kind);
    const { handIn: submission } = await place.open({ era });
    const { kept } = await submission(submitted);
    expect(kept).toEqual({ outputs: ["users"], content: [{ path: "docs/map.md", bytes: 6 }] });
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = { deep };
    for (const bad of [
      { content: [{ path: ".git/config", text: "x" }] },
      {
        content: [
          { path: "a.md", text: "x" },
          { path: "a.md", text: "y" },
        ],
      },
      { outputs: { huge: "x".repeat(1_000_001) } },
      { outputs: { deep } },
      { evidence: "all of it" },
      { outputs: ["users"] },
      { content: [{ path: 7 }] },
      { confirmation: 7 },
    ]) {
      const answer = await submission(bad);
      expect.soft([answer.verdict, answer.kept], JSON.stringify(bad).slice(0, 60)).toEqual(["invalid_input", kept]);
    }
    expect((await submission({ confirmation: "yes" })).verdict).toBe("completed");
    expect(place.project.read("docs/map.md")).toBe("# Map\n");
    expect(await place.outputs()).toMatchObject({ users: "guests" });
    expect(existsSync(place.project.path("a.md"))).toBe(false);
  });

  test.each(kinds)("odd names and values come through as they are (%s)", async (kind) => {
    const place = placeOf(kind);
    const { handIn: submission } = await place.open({ era });
    const outputs = JSON.parse(
      '{"1": "one", "0": [], "": "no name", "__proto__": {"polluted": true}, "constructor": null, "größe 🍵": {}, "toString": 1e21, "a\\u0000b": "\\u2028"}',
    );
    const waiting = await submission({ outputs, content: [] });
    expect(waiting.verdict).toBe("waits");
    expect(new Set(waiting.kept?.outputs)).toEqual(new Set(Object.keys(outputs)));
    expect(
      (await submission({ outputs, content: [{ path: "docs/größe 🍵.md", text: "" }], confirmation: "да" })).verdict,
    ).toBe("completed");
    expect(place.project.read("docs/größe 🍵.md")).toBe("");
    expect({}).not.toHaveProperty("polluted");
    const stored = await place.outputs();
    if (kind === "phase") for (const name of Object.keys(outputs)) expect(Object.keys(stored)).toContain(name);
  });
});

describe("evidence", () => {
  test.each(newer)("that was turned down last leaves none of before to be confirmed (%s protocol)", async (era) => {
    const place = placeOf("phase");
    const { handIn: submission } = await place.open({ era });
    expect((await submission()).verdict).toBe("waits");
    const worse = Object.fromEntries(Object.keys(evidenceFor(1)).map((field) => [field, 0]));
    expect((await submission({ evidence: worse })).verdict).toBe("incomplete_checkpoint");
    expect((await submission({ evidence: undefined, confirmation: "yes" })).verdict).toBe("incomplete_checkpoint");
    expect(place.stands()).toBe(true);
    expect((await submission({ confirmation: "yes" })).verdict).toBe("completed");
  });

  test("is not displaced by an output of its name", async () => {
    const place = placeOf("phase");
    const { handIn: submission, window } = await place.open();
    const [field = ""] = Object.keys(evidenceFor(1));
    const reply = await submission({ outputs: { [field]: 4711, phase_number: 9, evidence: {} }, confirmation: "yes" });
    expect(reply.verdict).toBe("completed");
    const { sessions = [] } = await callPhase(window, "get_workflow_state");
    const session_id = sessions[0]?.session_id;
    const { artifacts_from_previous } = await callPhase(window, "get_phase_content", { session_id });
    expect(artifacts_from_previous?.["1"]).toMatchObject({ [field]: 1 });
  });
});

describe.each(newer)("rules that change while the person reads (%s protocol)", (era) => {
  const rule = (words: readonly string[]) => ({
    name: "plain_words",
    description: "Say it plainly",
    examples: [{ do: "use", dont: "leverage" }],
    checks: [{ type: "forbidden_words", words, message: "say it plainly" }],
  });

  test.each([
    ["a gate", "check_failed"],
    ["nothing", "awaiting_human"],
  ])("what they find then is held against the hand-in where %s holds them", async (holds, expected) => {
    const place = placeOf("action", {
      prepare: ({ write }) => {
        write(".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json", rule(["leverage"]));
        if (holds === "a gate") write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
      },
    });
    const walker = await openWindow(place.project.root);
    for (let step = 0; step < 4; step++)
      await walker.pass("shape_bot", step < 3 ? {} : { content: [{ path: "map.md", text: "We serve tea.\n" }] });
    await walker.close();
    const { person, questions } = personWho(() => {
      place.project.write(".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json", rule(["tea"]));
      return { action: "accept", content: { answer: "yes" } };
    }, closes);
    const window = await openWindow(place.project.root, { era, person });
    await window.call("shape_bot");
    const answer = await window.call("complete_action");
    expect(answer.error ?? answer.status).toBe(expected);
    expect(questions).toHaveLength(holds === "a gate" ? 1 : 2);
  });
});

describe.each(kinds)("what stands under .waymark is not believed by its name (%s)", (kind) => {
  test.skipIf(inDatabase("nothing is held in files"))(
    "a held text that was changed there is not what is saved, and that is said",
    async () => {
      const place = placeOf(kind);
      const { handIn: submission } = await place.open();
      expect((await submission(submitted)).verdict).toBe("waits");
      const held = place.project.path(".waymark/held");
      const texts = readdirSync(held, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(texts).toHaveLength(1);
      for (const { parentPath, name } of texts) writeFileSync(join(parentPath, name), "# Something else\n");
      const answer = await submission({ confirmation: "yes" });
      expect(existsSync(place.project.path("docs/map.md"))).toBe(false);
      expect(answer.said).toContain("docs/map.md");
      expect(answer.said).not.toContain("Something else");
    },
  );
});

test("two behaviors whose names have no letter of ASCII keep their readable records apart", async () => {
  const { project } = placeOf("action", {
    prepare: ({ write }) =>
      write(".waymark/bots/story_bot/bot_config.json", { name: "story_bot", behaviors: ["设计", "测试"] }),
  });
  const window = await openWindow(project.root);
  const { tools } = await window.client.listTools();
  const [first = "", second = ""] = tools
    .map(({ name }) => name)
    .filter((name) => !["story_bot", "complete_action"].includes(name));
  for (const [tool, behavior, users] of [
    [first, "设计", "guests"],
    [second, "测试", "staff"],
  ] as const) {
    await window.call(tool);
    expect((await window.call("complete_action", { behavior, outputs: { users }, confirmation: "yes" })).status).toBe(
      "completed",
    );
  }
  const records = readdirSync(project.path("story_bot"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  expect(records).toHaveLength(2);
  for (const users of ["guests", "staff"]) expect(records.join()).toContain(users);
});
