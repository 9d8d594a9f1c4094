import type { Case } from "../broken-bot.ts";

const rule = "bots/story_bot/behaviors/shape/rules/verbs.json";
const other = "bots/story_bot/behaviors/shape/rules/other.json";
const examples = [{ do: "Reserve a table", dont: "Table reservation" }];
const withChecks = (checks: unknown): object => ({ name: "verbs", description: "Verbs.", examples, checks });

/** Rules that nobody can keep or that say too little, and checks that cannot be run. */
export const ruleCases: readonly Case[] = [
  {
    title: "a rule file that says nothing",
    files: { [rule]: { name: "verbs", tags: ["a"] } },
    finds: [`not-a-rule ${rule}:1`],
  },
  {
    title: "an empty rule in Markdown",
    files: { "bots/story_bot/rules/short.md": "\n" },
    finds: ["empty-text bots/story_bot/rules/short.md:1"],
  },
  {
    title: "rules without an example, without a do and without a don't",
    files: {
      [rule]: {
        rules: [
          { name: "a", description: "A." },
          { name: "b", description: "B.", dont: "Not so" },
        ],
      },
      "bots/story_bot/rules/short.md": "# Be brief\n\n## Do\n\n- One line\n",
    },
    finds: [
      `rule-without-examples ${rule}:3`,
      `rule-without-examples ${rule}:7`,
      "rule-without-examples bots/story_bot/rules/short.md:1",
    ],
  },
  {
    title: "two rules with one name",
    files: { [other]: { name: "Verbs", description: "Verbs again.", examples } },
    finds: [`duplicate-rule ${rule}:1`],
  },
  {
    title: "a key of a rule that nobody knows",
    files: { [rule]: { name: "verbs", description: "Verbs.", examples, chekcs: [] } },
    finds: [`unknown-key ${rule}:10`],
  },
  {
    title: "a severity that nobody knows",
    files: { [rule]: withChecks([{ type: "max_length", lines: 9, severity: "fatal" }]) },
    finds: [`wrong-type-ignored ${rule}:14`],
  },
  {
    title: "a malformed rule file",
    files: { [rule]: '{\n  "name": "verbs"\n  "description": "Verbs."\n}\n' },
    finds: [`malformed-json ${rule}:3`],
  },
  {
    title: "checks of an unknown kind, with an unknown key, without what they need",
    files: {
      [rule]: withChecks([
        { type: "must_matsch", pattern: "a" },
        { type: "must_match", patern: "a" },
        { type: "required_headings" },
        "no TODO",
      ]),
    },
    finds: [
      `unusable-check ${rule}:12`,
      `unusable-check ${rule}:17`,
      `unusable-check ${rule}:19`,
      `unusable-check ${rule}:22`,
    ],
  },
  {
    title: "patterns that RE2 cannot compile, in both spellings",
    files: {
      [rule]: {
        name: "verbs",
        description: "Verbs.",
        examples,
        checks: [{ type: "must_match", pattern: "(?=a)b" }],
        must_not_match: ["ok", "(open"],
      },
    },
    finds: [`unusable-check ${rule}:13`, `unusable-check ${rule}:18`],
  },
  {
    title: "globs and schemas that the engine does not understand",
    files: {
      [rule]: withChecks([
        { type: "max_length", lines: 9, glob: "docs/{a" },
        { type: "json_schema", schema: { type: "text" } },
        { type: "json_schema", schema_file: "gone.schema.json" },
        { type: "json_schema", schema: false },
      ]),
    },
    finds: [
      `unusable-check ${rule}:14`,
      `unusable-check ${rule}:18`,
      `unusable-check ${rule}:24`,
      `unusable-check ${rule}:28`,
    ],
  },
  {
    title: "a pattern that must match and must not match the same files",
    files: {
      [rule]: withChecks([{ type: "must_match", pattern: "Users", glob: "docs/*.md" }]),
      "bots/story_bot/rules/users.json": {
        description: "No users.",
        examples,
        checks: [{ type: "must_not_match", pattern: "Users", glob: "docs/*.md" }],
      },
    },
    finds: ["unsatisfiable-rule bots/story_bot/rules/users.json:12"],
  },
  {
    title: "the same pattern wanted and banned in different files is no contradiction",
    files: {
      [rule]: withChecks([
        { type: "must_match", pattern: "Users", glob: "docs/*.md" },
        { type: "must_not_match", pattern: "Users", glob: "src/*.md" },
      ]),
    },
    finds: [],
  },
  {
    title: "a forbidden word in a required heading, and one in a wanted text",
    files: {
      [rule]: withChecks([
        { type: "required_headings", headings: ["Open points"] },
        { type: "must_match", pattern: "fast lane" },
        { type: "forbidden_words", words: ["open", "fast"] },
      ]),
    },
    finds: [`unsatisfiable-rule ${rule}:23`, `unsatisfiable-rule ${rule}:23`],
  },
  {
    title: "a pattern that bans every way to write a required heading",
    files: {
      [rule]: withChecks([
        { type: "required_headings", headings: ["Users"] },
        { type: "must_not_match", pattern: "users", flags: "i" },
      ]),
    },
    finds: [`unsatisfiable-rule ${rule}:19`],
  },
  {
    title: "limits that leave no room",
    files: {
      [rule]: withChecks([
        { type: "max_length", words: 0 },
        { type: "max_length", unit: "lines", limit: 1, glob: "docs/map.md" },
        { type: "required_headings", headings: ["Users", "Epics"], glob: "docs/map.md" },
      ]),
    },
    finds: [`unsatisfiable-rule ${rule}:13`, `unsatisfiable-rule ${rule}:23`],
  },
  {
    title: "a pattern that must not match and matches every text",
    files: { [rule]: withChecks([{ type: "must_not_match", pattern: ".*" }]) },
    finds: [`unsatisfiable-rule ${rule}:13`],
  },
];
