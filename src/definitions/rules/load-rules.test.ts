import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import type { Rule, RuleExample } from "../../gates/rule.ts";
import { addDefinitions, type Files, onlyBot, writeDefinitions } from "../bots/write-definitions.testing.ts";
import { formatWarning } from "../loader-problem.ts";
import { loadRules } from "./load-rules.ts";

const bot = { "bots/story_bot/bot_config.json": { behaviors: ["shape"] } };
const behavior = "bots/story_bot/behaviors/1_shape";

function load(files: Files): { readonly rules: readonly Rule[]; readonly warnings: readonly string[] } {
  return loadFrom(writeDefinitions({ ...bot, [`${behavior}/instructions.md`]: "Shape it.", ...files }));
}

function loadFrom(definitions: string): { readonly rules: readonly Rule[]; readonly warnings: readonly string[] } {
  const tree = onlyBot(definitions);
  const [first] = tree.behaviors;
  if (first === undefined) throw new Error("no behavior was planted");
  const { rules, problems } = loadRules(tree, first);
  return { rules, warnings: problems.map(formatWarning) };
}

function examplesOf(rule: unknown): readonly RuleExample[] | undefined {
  return load({ [`${behavior}/rules/one.json`]: rule }).rules[0]?.examples;
}

describe("locations of rules", () => {
  test("the behavior's own come before the bot's, whatever the spelling of the folder", () => {
    const { rules, warnings } = load({
      "bots/story_bot/rules/plain.json": { description: "Plain words" },
      [`${behavior}/3_rules/2_verbs.json`]: { description: "Begin with a verb" },
      [`${behavior}/rule/nouns.md`]: "# Nouns\n\nOne noun for one thing.",
      [`${behavior}/rules/README.md`]: "Not a rule.",
    });
    expect(rules.map(({ name, file }) => [name, file])).toEqual([
      ["verbs", ".waymark/bots/story_bot/behaviors/1_shape/3_rules/2_verbs.json"],
      ["nouns", ".waymark/bots/story_bot/behaviors/1_shape/rule/nouns.md"],
      ["plain", ".waymark/bots/story_bot/rules/plain.json"],
    ]);
    expect(warnings).toEqual([]);
  });

  test("a file holds one rule, a list, or a list under rules; a plain text is a rule too", () => {
    const { rules } = load({
      [`${behavior}/rules/a.json`]: [{ name: "first", description: "1" }, "Just say it."],
      [`${behavior}/rules/b.json`]: { rules: [{ description: "2" }] },
      [`${behavior}/rules/c.json`]: '"Keep it short."',
    });
    expect(rules.map(({ name, description }) => [name, description])).toEqual([
      ["first", "1"],
      ["a_2", "Just say it."],
      ["b_1", "2"],
      ["c", "Keep it short."],
    ]);
  });
});

describe("how people write examples", () => {
  test("pairs of do and dont, as texts, lists, or objects", () => {
    expect(examplesOf({ examples: [{ do: "run", dont: "running" }] })).toEqual([{ do: "run", dont: "running" }]);
    expect(examplesOf({ examples: [{ do: ["run", "walk"] }] })).toEqual([{ do: "run\nwalk" }]);
    expect(
      examplesOf({
        examples: [
          { do: { description: "Verb first", content: ["run it"], language: "text" }, dont: { text: "it runs" } },
        ],
      }),
    ).toEqual([{ do: "Verb first\nrun it", dont: "it runs" }]);
  });

  test("guidance under do and dont", () => {
    expect(
      examplesOf({ do: { description: "Be short", guidance: ["one line", "one idea"] }, dont: { guidance: "ramble" } }),
    ).toEqual([{ do: "Be short" }, { do: "one line" }, { do: "one idea" }, { dont: "ramble" }]);
  });

  test("other words for the same", () => {
    expect(examplesOf({ examples: [{ good: "a", bad: "b" }] })).toEqual([{ do: "a", dont: "b" }]);
    expect(examplesOf({ do_not: ["x", "y"] })).toEqual([{ dont: "x" }, { dont: "y" }]);
  });

  test("Markdown with Do and Don't sections, or items that say which they are", () => {
    const { rules } = load({
      [`${behavior}/rules/verbs.md`]:
        "# Verbs first\n\nA story begins\nwith a verb.\n\n## Do\n\n- Run it\n- Walk\n  slowly\n\n## Don't\n\nIt runs.\n\n## Notes\n\n- none\n",
      [`${behavior}/rules/words.md`]: "Plain words.\n\n- Do: use\n- **Don't**: utilise\n- ❌ leverage\n",
    });
    expect(rules).toMatchObject([
      {
        name: "verbs",
        description: "Verbs first: A story begins with a verb.",
        examples: [{ do: "Run it" }, { do: "Walk\nslowly" }, { dont: "It runs." }],
      },
      {
        name: "words",
        description: "Plain words.",
        examples: [{ do: "use" }, { dont: "utilise" }, { dont: "leverage" }],
      },
    ]);
  });

  test("unknown keys are ignored with a warning that names the file", () => {
    const { rules, warnings } = load({
      [`${behavior}/rules/odd.json`]: { description: "Odd", frobnicate: 1, priority: 3 },
      [`${behavior}/rules/none.json`]: { frobnicate: 1 },
    });
    expect(rules.map(({ name }) => name)).toEqual(["odd"]);
    expect(warnings).toEqual([
      ".waymark/bots/story_bot/behaviors/1_shape/rules/none.json: Waymark cannot use this rule: it says neither what to do nor what to check.",
      ".waymark/bots/story_bot/behaviors/1_shape/rules/odd.json: these keys are unknown and ignored: frobnicate.",
    ]);
  });
});

describe("checks", () => {
  const checksOf = (rule: object): unknown =>
    load({ [`${behavior}/rules/one.json`]: { description: "x", ...rule } }).rules[0]?.checks;

  test("each kind, with glob, severity and message", () => {
    const schema = { type: "object" };
    expect(
      checksOf({
        checks: [
          { type: "must_match", pattern: "^As", flags: "mg" },
          { kind: "must-not-match", pattern: "TODO", glob: "**/*.md", severity: "warning", message: "Finish it" },
          { type: "required_headings", headings: ["Goal"] },
          { type: "forbidden_words", words: ["simply"] },
          { type: "max_length", words: 500 },
          { type: "max_length", unit: "lines", limit: 20 },
          { type: "json_schema", schema },
          { must_not_match: "XXX", glob: "src/**" },
        ],
      }),
    ).toEqual([
      { kind: "must_match", pattern: "^As", flags: "m", severity: "error", message: "" },
      {
        kind: "must_not_match",
        pattern: "TODO",
        flags: "",
        glob: "**/*.md",
        severity: "warning",
        message: "Finish it",
      },
      { kind: "required_headings", headings: ["Goal"], severity: "error", message: "" },
      { kind: "forbidden_words", words: ["simply"], severity: "error", message: "" },
      { kind: "max_length", unit: "words", limit: 500, severity: "error", message: "" },
      { kind: "max_length", unit: "lines", limit: 20, severity: "error", message: "" },
      { kind: "json_schema", schema, severity: "error", message: "" },
      { kind: "must_not_match", pattern: "XXX", flags: "", glob: "src/**", severity: "error", message: "" },
    ]);
  });

  test("a rule may be a check by one key, and what it sets holds for all its checks", () => {
    expect(
      checksOf({
        must_not_match: ["TODO", "FIXME"],
        flags: "i",
        glob: "*.md",
        severity: "warn",
        max_length: { lines: 9 },
      }),
    ).toMatchObject([
      { kind: "must_not_match", pattern: "TODO", flags: "i", glob: "*.md", severity: "warning" },
      { kind: "must_not_match", pattern: "FIXME", flags: "i", glob: "*.md", severity: "warning" },
      { kind: "max_length", unit: "lines", limit: 9, glob: "*.md", severity: "warning" },
    ]);
    expect(checksOf({ json_schema: { type: "object" } })).toMatchObject([
      { kind: "json_schema", schema: { type: "object" } },
    ]);
    expect(checksOf({ forbidden_words: "simply" })).toMatchObject([{ kind: "forbidden_words", words: ["simply"] }]);
  });

  test("a schema may be in a file inside the bot's folder, and nowhere else", () => {
    const files = {
      [`${behavior}/rules/one.json`]: { json_schema: "story.schema.json" },
      [`${behavior}/rules/story.schema.json`]: { type: "object" },
      [`${behavior}/rules/two.json`]: { json_schema: "../../../../../base_actions/x.json" },
      [`${behavior}/rules/three.json`]: { json_schema: "none.json" },
      "base_actions/x.json": { type: "object" },
    };
    const { rules } = load(files);
    expect(rules.map(({ checks }) => checks[0])).toMatchObject([
      { kind: "json_schema", schema: { type: "object" } },
      { kind: "unusable", reason: "its schema_file none.json does not exist" },
      { kind: "unusable", reason: expect.stringContaining("not in the bot's folder") },
    ]);
  });

  test.each([
    [{ type: "must_matsch", pattern: "x" }, "not a kind of check"],
    [{ type: "must_match" }, "needs a pattern"],
    [{ type: "must_match", pattern: "(?=x)" }, "RE2"],
    [{ type: "must_match", pattern: "(a)\\1" }, "RE2"],
    [{ type: "must_match", pattern: "x", flags: "y" }, "flags"],
    [{ type: "must_match", pattern: "x", files: "*.md" }, 'no key "files"'],
    [{ type: "must_match", pattern: "x", glob: ["*.md"] }, "glob"],
    [{ type: "required_headings", headings: [] }, "headings"],
    [{ type: "forbidden_words", words: [1] }, "words"],
    [{ type: "max_length", limit: 3 }, "lines"],
    [{ type: "json_schema" }, "schema"],
    ["TODO", "must be an object"],
  ])("one that cannot be understood is a warning, and breaks: %j", (check, reason) => {
    const { rules, warnings } = load({ [`${behavior}/rules/one.json`]: { description: "x", checks: [check] } });
    expect(rules[0]?.checks).toMatchObject([
      { kind: "unusable", severity: "error", reason: expect.stringContaining(reason) },
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("behaviors/1_shape/rules/one.json: a check of one cannot run and counts as failed: ");
  });

  test("a rule file that is no JSON may hold checks, so it breaks too", () => {
    const { rules, warnings } = load({ [`${behavior}/rules/one.json`]: '{"checks": [' });
    expect(rules).toMatchObject([{ name: "one", checks: [{ kind: "unusable" }] }]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /rules\/one\.json: a check of one cannot run and counts as failed: the file cannot be read: /,
      ),
    ]);
  });
});

test("a rule file nested without end is read as far as it makes sense", () => {
  const deep = `${'{"do":['.repeat(5_000)}"x"${"]}".repeat(5_000)}`;
  expect(
    load({ [`${behavior}/rules/one.json`]: deep, [`${behavior}/rules/two.json`]: `{"checks": ${deep}}` }).rules,
  ).toHaveLength(1);
});

test("no JSON in a rule file makes the loader throw", () => {
  const definitions = writeDefinitions({ ...bot, [`${behavior}/rules/one.json`]: {} });
  const key = fc.constantFrom(
    "rules",
    "checks",
    "examples",
    "do",
    "dont",
    "type",
    "pattern",
    "must_match",
    "json_schema",
    "name",
    "max_length",
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("must_match", "(", "json_schema", "../x"),
      fc.dictionary(key, tie("json")),
      fc.array(tie("json"), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      addDefinitions(definitions, { [`${behavior}/rules/one.json`]: JSON.stringify(value) });
      loadFrom(definitions);
    }),
    { numRuns: wholeOr(500, 120) },
  );
});
