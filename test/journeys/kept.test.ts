import { existsSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inDatabase, overHttp } from "../doors.ts";
import { kinds, placeOf, someWays } from "../hands.ts";
import { closes, declines, no, personWho, yes } from "../person.ts";
import { fieldOf } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow } from "../window.ts";

const map = { path: "docs/map.md", text: "# Map\n" };
const notes = { path: "docs/notes.md", text: "# Notes\n\nGuests.\n" };

/** Gives the first action of every behavior a gate, as the first phase has one. */
const gated = ({ write }: Project): void =>
  write(
    ".waymark/base_actions/gather_context/gate-definition.yaml",
    `evidence_schema:\n  ${fieldOf(1)}:\n    type: integer\n    required: true\n    description: how many\n    validator: greater_than_0\n`,
  );
const enough = { evidence: { [fieldOf(1)]: 3 } };

describe.each(someWays)("what is handed in stays handed in (%s, %s protocol)", (kind, era) => {
  test("a gate that is not passed: outputs by name and content by path, the newest of each", async () => {
    const place = placeOf(kind, { prepare: gated });
    const { handIn: submission } = await place.open({ era });
    const first = await submission({ evidence: {}, outputs: { seats: 20, users: "guests" }, content: [map, notes] });
    expect(first.verdict).toBe("incomplete_checkpoint");
    expect(first.kept).toEqual({
      outputs: ["seats", "users"],
      content: [
        { path: "docs/map.md", bytes: 6 },
        { path: "docs/notes.md", bytes: 17 },
      ],
    });
    const second = await submission({ evidence: {}, outputs: { seats: 24 }, content: [{ ...map, text: "# A map\n" }] });
    expect(second.kept).toEqual({
      outputs: ["seats", "users"],
      content: [
        { path: "docs/map.md", bytes: 8 },
        { path: "docs/notes.md", bytes: 17 },
      ],
    });
    expect(existsSync(place.project.path("docs"))).toBe(false);
    expect((await submission({ ...enough, confirmation: "yes" })).verdict).toBe("completed");
    expect(await place.outputs()).toMatchObject({ seats: 24, users: "guests" });
    expect(place.project.read("docs/map.md")).toBe("# A map\n");
    expect(place.project.read("docs/notes.md")).toBe(notes.text);
  });

  test.skipIf(overHttp("no link of the server's is in the way"))(
    "evidence that names a file whose text is handed in with the step, or was before, is there, behind a link it is not",
    async () => {
      const wanted =
        "evidence_schema:\n  notes: { type: string, required: true, description: notes, validator: file_exists }\n  folder: { type: string, required: true, description: folder, validator: directory_exists }\napproval: required\n";
      const place = placeOf(kind, {
        prepare: ({ write }) => {
          write(".waymark/base_actions/gather_context/gate-definition.yaml", wanted);
          if (kind === "phase") write(".waymark/workflows/survey/phases/1/gate-definition.yaml", wanted);
        },
      });
      const { handIn: submission } = await place.open({ era });
      const evidence = { notes: "./docs/notes.md", folder: "docs" };
      const verdict = async (args: Record<string, unknown>): Promise<string> =>
        (await submission({ evidence, ...args })).verdict;
      expect(await verdict({})).toBe("incomplete_checkpoint");
      expect(await verdict({ content: [notes] })).toBe("waits");
      symlinkSync("nowhere", place.project.path("docs"));
      expect(await verdict({ confirmation: "yes" })).toBe("incomplete_checkpoint");
      rmSync(place.project.path("docs"));
      expect(await verdict({ evidence: { ...evidence, notes: "docs/../docs/notes.md" } })).toBe(
        "incomplete_checkpoint",
      );
      expect(await verdict({ evidence: { ...evidence, notes: "docs/other.md" } })).toBe("incomplete_checkpoint");
      expect(existsSync(place.project.path("docs"))).toBe(false);
      expect(await verdict({ confirmation: "yes" })).toBe("completed");
      expect(place.project.read("docs/notes.md")).toBe(notes.text);
    },
  );

  test.each([
    ["nobody answered", closes, "waits"],
    ["a person declined", declines, "rejected"],
    ["a person said no", no("later"), "rejected"],
  ])("%s: it is kept, shown in the next question and saved on the next yes", async (_, answer, verdict) => {
    const place = placeOf(kind);
    const { person, questions } = personWho(answer, yes());
    const { handIn: submission } = await place.open({ era, person });
    const first = await submission({ outputs: { users: "guests" }, content: [map] });
    expect(first.verdict).toBe(verdict);
    expect(first.kept).toEqual({ outputs: ["users"], content: [{ path: "docs/map.md", bytes: 6 }] });
    expect((await submission({ outputs: { seats: 24 } })).verdict).toBe("completed");
    expect(questions[1]).toMatch(/users.*guests/);
    expect(questions[1]).toContain("docs/map.md");
    expect(await place.outputs()).toMatchObject({ seats: 24, users: "guests" });
    expect(place.project.read("docs/map.md")).toBe(map.text);
  });

  test("without a word: kept, with nothing handed in too, and another window completes it", async () => {
    const place = placeOf(kind);
    const first = await place.open({ era });
    expect(await first.handIn()).toMatchObject({ verdict: "waits", kept: { outputs: [], content: [] } });
    expect(await first.handIn({ outputs: { users: "guests" }, content: [map] })).toMatchObject({
      verdict: "waits",
      kept: { outputs: ["users"], content: [{ path: "docs/map.md", bytes: 6 }] },
    });
    await first.window.close();
    const second = await place.open({ era });
    expect((await second.handIn({ confirmation: "yes" })).verdict).toBe("completed");
    expect(place.project.read("docs/map.md")).toBe(map.text);
    expect(await place.outputs()).toMatchObject({ users: "guests" });
  });
});

describe("files that rules look at", () => {
  const withRule = ({ write }: Project): void => {
    for (const behavior of ["shape", "discovery"])
      write(`.waymark/bots/story_bot/behaviors/${behavior}/rules/plain_words.json`, {
        name: "plain_words",
        description: "Say it plainly",
        examples: [{ do: "use", dont: "leverage" }],
        checks: [{ type: "forbidden_words", words: ["leverage"], glob: "docs/*.md", message: "say it plainly" }],
      });
    write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
  };

  async function toValidation(tool: string, project: Project, content: object[]) {
    const window = await openWindow(project.root);
    for (let index = 0; index < 3; index++) await window.pass(tool);
    await window.pass(tool, { content });
    await window.call(tool);
    return window;
  }

  test("a broken rule: the mended file alone is enough, the others stay as they were handed in", async () => {
    const { project } = placeOf("action", { prepare: withRule });
    const window = await toValidation("shape_bot", project, []);
    const bad = { path: "docs/map.md", text: "We leverage tea.\n" };
    const refused = await window.call("complete_action", { content: [bad, notes], confirmation: "yes" });
    expect(refused).toMatchObject({
      error: "check_failed",
      kept: {
        outputs: [],
        content: [
          { path: "docs/map.md", bytes: 17 },
          { path: "docs/notes.md", bytes: 17 },
        ],
      },
    });
    const mended = [{ path: "docs/map.md", text: "We serve tea.\n" }];
    const answer = await window.call("complete_action", { content: mended, confirmation: "yes" });
    expect(answer.status).toBe("workflow_complete");
    expect(project.read("docs/map.md")).toBe("We serve tea.\n");
    expect(project.read("docs/notes.md")).toBe(notes.text);
  });

  test("a second behavior hands in the same path: its own text is checked and saved, not the first one's", async () => {
    const { project } = placeOf("action", { prepare: withRule });
    const first = await toValidation("shape_bot", project, [{ path: "docs/map.md", text: "We leverage tea.\n" }]);
    expect(await first.call("complete_action", { confirmation: "yes" })).toMatchObject({ error: "check_failed" });
    await first.close();
    const second = await toValidation("discovery_bot", project, [{ path: "docs/map.md", text: "We serve tea.\n" }]);
    const answer = await second.call("complete_action", { behavior: "discovery", confirmation: "yes" });
    expect(answer).toMatchObject({ status: "workflow_complete", behavior: "discovery" });
    expect(project.read("docs/map.md")).toBe("We serve tea.\n");
    await second.call("shape_bot", { resume: "continue" });
    const shape = await second.call("complete_action", { behavior: "shape", confirmation: "yes" });
    expect(shape).toMatchObject({ status: "workflow_complete", behavior: "shape" });
  });

  test("a second behavior hands in a bad text for a path on record: it is what counts there until it is mended", async () => {
    const { project } = placeOf("action", { prepare: withRule });
    const first = await toValidation("shape_bot", project, [{ path: "docs/map.md", text: "We serve tea.\n" }]);
    expect(await first.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "workflow_complete" });
    await first.close();
    const second = await toValidation("discovery_bot", project, []);
    const complete = (text?: string) =>
      second.call("complete_action", {
        behavior: "discovery",
        confirmation: "yes",
        ...(text === undefined ? {} : { content: [{ path: "docs/map.md", text }] }),
      });
    expect(await complete("We leverage tea.\n")).toMatchObject({ error: "check_failed" });
    expect(project.read("docs/map.md")).toBe("We serve tea.\n");
    expect(await complete()).toMatchObject({ error: "check_failed" });
    expect(await complete("We pour tea.\n")).toMatchObject({ status: "workflow_complete" });
    expect(project.read("docs/map.md")).toBe("We pour tea.\n");
  });

  test("two behaviors hold the same path at once: each saves its own text when it completes", async () => {
    const { project } = placeOf("action");
    const window = await openWindow(project.root);
    for (const behavior of ["shape", "discovery"]) {
      await window.call(`${behavior}_bot`);
      const content = [{ path: "docs/map.md", text: `# ${behavior}\n` }];
      expect(await window.call("complete_action", { behavior, content })).toMatchObject({ status: "awaiting_human" });
    }
    for (const behavior of ["discovery", "shape"]) {
      await window.call(`${behavior}_bot`);
      const answer = await window.call("complete_action", { behavior, confirmation: "yes" });
      expect(answer).toMatchObject({ status: "completed", behavior });
      expect(project.read("docs/map.md")).toBe(`# ${behavior}\n`);
    }
  });

  const spoiled: [string, (project: Project) => void][] = [
    ["has changed since", (project) => project.write("docs/map.md", "We serve something else.\n")],
    ["is gone", (project) => rmSync(project.path("docs/map.md"))],
    [
      "has become a link",
      (project) => {
        project.write("elsewhere.md", "We serve tea.\n");
        rmSync(project.path("docs/map.md"));
        symlinkSync(project.path("elsewhere.md"), project.path("docs/map.md"));
      },
    ],
  ];

  test.skipIf(inDatabase("nobody else reaches a saved file")).each(spoiled)(
    "a file on record that %s is a violation of the gate that looks at it",
    async (_, spoil) => {
      const { project } = placeOf("action", { prepare: withRule });
      const window = await toValidation("shape_bot", project, [{ path: "docs/map.md", text: "We serve tea.\n" }]);
      spoil(project);
      const refused = await window.call("complete_action", { confirmation: "yes" });
      expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
      expect(`${refused.message} ${refused.instructions}`).toContain("docs/map.md");
      rmSync(project.path("docs/map.md"), { force: true });
      const content = [{ path: "docs/map.md", text: "We serve tea.\n" }];
      expect((await window.call("complete_action", { content, confirmation: "yes" })).status).toBe("workflow_complete");
    },
  );

  test.skipIf(overHttp("nobody hands in a file without its text")).each(spoiled)(
    "a file on record that %s is a warning where no gate looks",
    async (_, spoil) => {
      const place = placeOf("action");
      const { project } = place;
      project.write("docs/map.md", "We serve tea.\n");
      const { window } = await place.open();
      const waiting = await window.call("complete_action", { content: [{ path: "docs/map.md" }] });
      expect(waiting).toMatchObject({
        status: "awaiting_human",
        kept: { content: [{ path: "docs/map.md", bytes: 14 }] },
      });
      spoil(project);
      const answer = await window.call("complete_action", { confirmation: "yes" });
      expect(answer.status).toBe("completed");
      expect(answer.warnings.join()).toContain("docs/map.md");
    },
  );
});

describe("content that can have no effect", () => {
  test("is refused at an independent action, and nothing of it is saved", async () => {
    const place = placeOf("action");
    const { window } = await place.open();
    await window.call("story_bot", { action: "correct_bot" });
    const answer = await window.call("complete_action", { action: "correct_bot", content: [map] });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "invalid_input" });
    expect(answer.message).toContain("content");
    expect(existsSync(place.project.path("docs"))).toBe(false);
    expect(await window.call("complete_action", { action: "correct_bot" })).toMatchObject({ status: "completed" });
  });

  test.each(kinds)("a path that must not be written is refused at %s, with nothing of the call kept", async (kind) => {
    const place = placeOf(kind);
    const { handIn: submission } = await place.open();
    const bad = await submission({ outputs: { a: 1 }, content: [map, { path: ".git/config", text: "x" }] });
    expect(bad).toMatchObject({ verdict: "invalid_input", isError: true });
    expect(await submission()).toMatchObject({ verdict: "waits", kept: { outputs: [], content: [] } });
    expect(existsSync(place.project.path("docs"))).toBe(false);
  });
});
