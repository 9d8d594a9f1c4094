import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { older, openWindow, type Said } from "../window.ts";

const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json";
const inputs = { rule: "plain_words", dont: "utilise", do: "use", pattern: "utili[sz]e" };
const correction = { action: "correct_bot", inputs };

function withRule(): Project {
  const project = makeProject();
  project.write(rule, {
    name: "plain_words",
    description: "Plain words",
    checks: [{ type: "forbidden_words", words: ["leverage"] }],
  });
  return project;
}

const yes: Said = { action: "accept", content: { answer: "yes" } };
const no: Said = { action: "accept", content: { answer: "no", comment: "leave it" } };

describe("an assistant with the tools alone, and the author's rules", () => {
  // Attack (tools): Send a confirmation without a letter or a digit: `.`, a smile, invisible characters
  // -> It is no approval
  test.each([undefined, "", " ", ".", "…", "👍", "--", "\u3164", "\u200b"])(
    "a correction on the word %j: awaiting_human, and the rule is as it was",
    async (confirmation) => {
      const project = withRule();
      const before = project.read(rule);
      const window = await openWindow(project.root);
      const call = { ...correction, ...(confirmation === undefined ? {} : { confirmation }) };
      const answer = await window.call("shape_bot", call);
      expect(answer).toMatchObject({ status: "awaiting_human", action: "correct_bot", next: null });
      expect(answer.instructions).toMatch(/in full.*send the same call again with their own words as confirmation/);
      const outputs = {
        action: "correct_bot",
        outputs: inputs,
        ...(confirmation === undefined ? {} : { confirmation }),
      };
      expect(await window.call("complete_action", outputs)).toMatchObject({ status: "awaiting_human" });
      expect(project.read(rule)).toBe(before);
    },
  );

  // Attack (tools): Change a rule by itself (`correct_bot`)
  // -> Refused without a person's approval
  test.each(["shape_bot", "complete_action"])(
    "the same call of %s again with the person's words: kept, and on record with them",
    async (tool) => {
      const project = withRule();
      const window = await openWindow(project.root);
      await window.call("shape_bot", tool === "shape_bot" ? correction : { action: "correct_bot" });
      const call = tool === "shape_bot" ? correction : { action: "correct_bot", outputs: inputs };
      expect(await window.call(tool, call)).toMatchObject({ status: "awaiting_human" });
      const answer = await window.call(tool, { ...call, confirmation: "yes, always" });
      expect(answer).toMatchObject({ status: "completed", action: "correct_bot" });
      expect(answer.instructions).toContain("the rule plain_words has a new example");
      expect(project.json(rule).examples).toEqual([{ do: "use", dont: "utilise" }]);
      const rows = JSON.parse((await runCli(["log", "--json", "--root", project.root])).stdout);
      expect(rows.at(-1)).toMatchObject({
        action: "story_bot.shape.correct_bot",
        word: { level: "relayed", text: "yes, always" },
        correction: { ...inputs, place: expect.stringContaining("plain_words.json") },
      });
      const { stdout } = await runCli(["log", "--root", project.root]);
      expect(stdout).toMatch(/added to the rule plain_words \(.*plain_words\.json\) {2}relayed: "yes, always"/);
      expect(await window.call(tool, { ...call, confirmation: "yes, always" })).toMatchObject({ status: "completed" });
      expect(project.json(rule).examples).toHaveLength(1);
    },
  );

  test("opened with a correction, it is completed with the person's words alone; another correction asks anew", async () => {
    const project = withRule();
    const window = await openWindow(project.root);
    await window.call("shape_bot", correction);
    expect(await window.call("complete_action", {})).toMatchObject({ status: "awaiting_human" });
    const other = { ...inputs, dont: "leverage", do: "use it", pattern: "leverag" };
    expect(await window.call("shape_bot", { action: "correct_bot", inputs: other })).toMatchObject({
      status: "awaiting_human",
    });
    expect(await window.call("complete_action", { confirmation: "yes, always" })).toMatchObject({
      status: "completed",
    });
    expect(project.json(rule).examples).toEqual([{ do: "use it", dont: "leverage" }]);
  });

  test.each(["elicited", "proven"])(
    "where the team takes only a word that is %s, a confirmation does not count, and the answer says who can do it and where",
    async (level) => {
      const project = withRule();
      project.write(".waymark/config.json", { approvals: { level } });
      const before = project.read(rule);
      const window = await openWindow(project.root);
      const answer = await window.call("shape_bot", { ...correction, confirmation: "yes, always" });
      expect(answer).toMatchObject({ status: "awaiting_human" });
      expect(answer.instructions).toContain("ask them to edit the rule's file themselves");
      expect(answer.instructions).not.toContain("waymark approve");
      expect(project.read(rule)).toBe(before);
    },
  );

  test.each(older)(
    "where the client can ask (%s), the person is shown text and pattern whole, and no other word counts",
    async (era) => {
      const project = withRule();
      const long = { ...inputs, dont: `say "${"very ".repeat(200)}long" things`, do: "short\nthings" };
      const asked: string[] = [];
      const window = await openWindow(project.root, {
        era,
        person: async (question) => {
          asked.push(question);
          return yes;
        },
      });
      const answer = await window.call("story_bot", {
        action: "correct_bot",
        inputs: long,
        confirmation: "they said yes",
      });
      expect(answer).toMatchObject({ status: "completed" });
      expect(asked).toHaveLength(1);
      for (const text of [long.dont, long.do, long.pattern]) expect(asked[0]).toContain(JSON.stringify(text));
      expect(asked[0]?.length).toBeLessThanOrEqual(2000);
      const rows = JSON.parse((await runCli(["log", "--json", "--root", project.root])).stdout);
      expect(rows.at(-1)).toMatchObject({ word: { level: "elicited" } });
    },
  );

  test("a person's no holds: no confirmation counts for that correction any more, from any window", async () => {
    const project = withRule();
    const before = project.read(rule);
    const asking = await openWindow(project.root, {
      person: async () => {
        await new Promise((resolve) => setTimeout(resolve, 260));
        return no;
      },
    });
    expect(await asking.call("shape_bot", correction)).toMatchObject({ status: "refused", error: "approval_rejected" });
    const other = await openWindow(project.root);
    const again = await other.call("shape_bot", { ...correction, confirmation: "they changed their mind" });
    expect(again).toMatchObject({ status: "refused", error: "approval_rejected" });
    expect(project.read(rule)).toBe(before);
  });

  test("nobody answers: not asked again about it on this connection, and the assistant may pass a word on", async () => {
    const project = withRule();
    let questions = 0;
    const window = await openWindow(project.root, {
      person: () => {
        questions += 1;
        return { action: "cancel" };
      },
    });
    expect(await window.call("shape_bot", correction)).toMatchObject({ status: "awaiting_human" });
    expect(await window.call("shape_bot", correction)).toMatchObject({ status: "awaiting_human" });
    expect(questions).toBe(1);
    expect(await window.call("shape_bot", { ...correction, confirmation: "go on" })).toMatchObject({
      status: "completed",
    });
  });

  // Attack (tools): Submit a correction that is longer than a person is shown, or has invisible characters
  // -> Refused
  test.each([
    ["longer than a person is shown", { ...inputs, dont: "x".repeat(1500) }, /the limit is 1500/],
    ["with marks that turn the text round", { ...inputs, do: "use \u202eesilitu" }, /invisible characters/],
    [
      "with a text that nobody sees",
      { ...inputs, do: `use${String.fromCodePoint(0xe0041, 0xe0042)}` },
      /invisible characters/,
    ],
  ])("a correction %s is refused, whatever the word", async (_, sent, why) => {
    const project = withRule();
    const before = project.read(rule);
    const window = await openWindow(project.root);
    const answer = await window.call("shape_bot", { action: "correct_bot", inputs: sent, confirmation: "yes" });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_input", message: expect.stringMatching(why) });
    expect(project.read(rule)).toBe(before);
  });

  test("a walk judged before a correction on record still holds, with a note; one judged before any other change does not", async () => {
    const project = withRule();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const window = await openWindow(project.root);
    for (const _ of actions) await window.pass("shape_bot", { content: [{ path: "story.md", text: "Use it.\n" }] });
    const verify = async (): Promise<{ met: boolean; problems: string[]; walks: { notes: string[] }[] }> =>
      JSON.parse((await runCli(["verify", "--json", "--require", "shape", "--root", project.root])).stdout).required;
    expect(await verify()).toMatchObject({ met: true, walks: [{ notes: [] }] });
    await window.call("shape_bot", { ...correction, confirmation: "yes" });
    expect(await verify()).toMatchObject({
      met: true,
      walks: [
        {
          notes: [
            expect.stringMatching(/^validate_rules: 1 recorded correction was added to its rules since: \/.+\/ in /),
          ],
        },
      ],
    });
    const written = project.json(rule);
    project.write(rule, { ...written, checks: [] });
    expect(await verify()).toMatchObject({ met: false });
    project.write(rule, {
      ...written,
      checks: [...(written.checks as object[]), { type: "must_not_match", pattern: "foo" }],
    });
    expect(await verify()).toMatchObject({ met: false });
  });

  test.each([
    ["of another rule", { rule: "other_words", dont: "secret", do: "-", pattern: "secret" }],
    ["of the same rule", { rule: "plain_words", dont: "secret", do: "-", pattern: "secret" }],
  ])(
    "an author's check taken out for the walk, put back, and passed off as a correction %s: judged by other rules",
    async (_, late) => {
      const project = withRule();
      project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
      project.write(rule.replace("plain_words", "other_words"), { name: "other_words", description: "Others" });
      const loose = project.json(rule);
      const own = { type: "must_not_match", pattern: "secret", message: "No secrets" };
      const window = await openWindow(project.root);
      for (const _ of actions) await window.pass("shape_bot", { content: [{ path: "a.md", text: "a secret\n" }] });
      const whole = { ...loose, checks: [...(loose.checks as object[]), own] };
      project.write(rule, whole);
      await window.call("shape_bot", { action: "correct_bot", inputs: late, confirmation: "yes" });
      await expectOtherRules(project);
      // As CI has it: the definitions of the main branch, where nobody corrected anything.
      project.write(rule, whole);
      await expectOtherRules(project);
    },
  );

  // Attack (file tools): Take an author's check out of a rule for a walk, and pass it off as a later correction
  // -> Exposed by `verify --require`: judged by other rules
  test("a correction's check taken out for a later walk, and the same correction made again: judged by other rules", async () => {
    const project = withRule();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const loose = project.json(rule);
    const window = await openWindow(project.root);
    await window.call("shape_bot", { ...correction, confirmation: "yes" });
    project.write(rule, loose);
    for (const _ of actions) await window.pass("shape_bot", { content: [{ path: "a.md", text: "utilise\n" }] });
    await window.call("shape_bot", {
      action: "correct_bot",
      inputs: { ...inputs, dont: "Utilise" },
      confirmation: "yes",
    });
    project.write(rule, loose);
    await window.call("shape_bot", { ...correction, confirmation: "yes, again" });
    await expectOtherRules(project);
  });
});

async function expectOtherRules(project: Project): Promise<void> {
  const { code, stdout } = await runCli(["verify", "--json", "--require", "shape", "--root", project.root]);
  expect([code, JSON.parse(stdout).required.problems]).toEqual([
    1,
    ["validate_rules was judged by different rules than the definitions have"],
  ]);
}
