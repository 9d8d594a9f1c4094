import type { Case } from "../broken-bot.ts";

const gate = "base_actions/judge/gate-definition.yaml";

/** Gates that are closed because they cannot be trusted, and files that guard nothing. */
export const gateCases: readonly Case[] = [
  {
    title: "a gate that is no YAML",
    files: { [gate]: "approval: required\nevidence_schema: {\n" },
    finds: [`gate-malformed ${gate}:3`],
  },
  { title: "a gate that is a list", files: { [gate]: "- approval\n" }, finds: [`gate-malformed ${gate}:1`] },
  {
    title: "keys that no gate has, all of them at once",
    files: {
      [gate]:
        "approvals: required\nevidence_schema:\n  readers:\n    type: integer\n    validater: positive\nchecks: [rules]\ncheckpoint: { lax: true }\napproval: { required: true, from: me }\n",
    },
    finds: [
      `gate-unknown-key ${gate}:1`,
      `gate-unknown-key ${gate}:5`,
      `gate-unknown-key ${gate}:7`,
      `gate-unknown-key ${gate}:8`,
    ],
  },
  {
    title: "an approval of somebody who has no key here",
    files: { [gate]: "approval:\n  level: proven\n  by: [dana]\n" },
    finds: [`unknown-approver ${gate}:1`],
  },
  {
    title: "values that no gate has, all of them at once",
    files: {
      [gate]:
        "evidence_schema:\n  a: { type: moment }\n  b: integer\n  c: { required: true }\n  d: { type: list, required: maybe }\n  e: { type: list, description: [1] }\nchecks: [lint]\napproval: perhaps\n",
    },
    finds: [2, 3, 4, 5, 6, 7, 8].map((line) => `gate-wrong-value ${gate}:${line}`),
  },
  {
    title: "what may be edited in globs that nobody understands",
    files: { [gate]: 'approval: required\nedits: ["src/**", "src/[a/**"]\n' },
    finds: [`unusable-edits ${gate}:2`],
  },
  ...["src/", "src/** ", "src//a", "src/./a.js", "~/x", ".waymark/**", "workflow_state.json"].map((glob) => ({
    title: `what may be edited in a glob that no file matches: ${JSON.stringify(glob)}`,
    files: { [gate]: `approval: required\nedits: ["*.md", "${glob}"]\n` },
    finds: [`unusable-edits ${gate}:2`],
  })),
  {
    title: "what may be edited as no list of globs inside the project area",
    files: { [gate]: "approval: required\nedits: [../other/**]\n" },
    finds: [`gate-wrong-value ${gate}:2`],
  },
  {
    title: "rules that are not understood, all of them at once",
    files: {
      [gate]: [
        "evidence_schema:",
        "  a: { type: integer, validator: is_prime }",
        '  b: { type: integer, validator: "lambda x: x % 2 == 0" }',
        "  c: { type: boolean, validator: greater_than_0 }",
        '  d: { type: string, validator: { pattern: "(" } }',
        "  e: { type: integer, validator: { mim: 3 } }",
        "  f: { type: integer, validator: \"__import__('os').system('x')\" }",
        "  g: { type: list }",
        "cross_field_validation:",
        "  - a >= nobody",
        "  - rule: a == g",
        "  - { left: a, operator: near, right: b }",
        "",
      ].join("\n"),
    },
    finds: [2, 3, 4, 5, 6, 7, 10, 11, 12].map((line) => `gate-unknown-validator ${gate}:${line}`),
  },
  {
    title: "rules that are written as expressions",
    files: {
      [gate]: [
        "evidence_schema:",
        "  a:",
        "    type: integer",
        '    validator: "lambda x: x > 0"',
        "  b: { type: integer, validator: positive }",
        "cross_field_validation:",
        "  - rule: \"lambda e: e['a'] >= e['b']\"",
        "    error_message: a is never less than b",
        "",
      ].join("\n"),
    },
    finds: [`gate-unknown-validator ${gate}:4`, `gate-unknown-validator ${gate}:7`],
  },
  {
    title: "two gates that ask for one field in two types",
    files: {
      "bots/story_bot/behaviors/shape/judge/gate-definition.yaml":
        "approval: required\nevidence_schema:\n  readers: { type: string }\n",
    },
    finds: ["gate-wrong-value bots/story_bot/behaviors/shape/judge/gate-definition.yaml:3"],
  },
  {
    title: "a gate whose every field may be left out",
    files: { [gate]: "evidence_schema:\n  a: { type: integer, required: false }\n" },
    finds: [`gate-asks-nothing ${gate}:1`],
  },
  { title: "a gate without content", files: { [gate]: "# later\n" }, finds: [`gate-asks-nothing ${gate}:1`] },
  { title: "a gate that asks for nothing", files: { [gate]: "checks: []\n" }, finds: [`gate-asks-nothing ${gate}:1`] },
  {
    title: "gate files with names that the engine closes or overlooks",
    files: {
      [gate]: null,
      "base_actions/judge/gate_definition.yaml": "approval: required\n",
      "base_actions/build/gate.yaml": "approval: required\n",
      "bots/story_bot/behaviors/shape/judge/gate-defintion.yaml": "approval: required\n",
    },
    finds: [
      "gate-misspelt-name base_actions/build/gate.yaml:1",
      "gate-misspelt-name base_actions/judge/gate_definition.yaml:1",
      "gate-misspelt-name bots/story_bot/behaviors/shape/judge/gate-defintion.yaml:1",
    ],
  },
  {
    title: "two gate files in one folder",
    files: { "base_actions/judge/gate-definition.yml": "approval: required\n" },
    finds: [`two-gate-files ${gate}:1`],
  },
  {
    title: "a gate that wants to be lenient",
    files: { [gate]: "checkpoint:\n  strict: false\n  allow_override: true\n  enabled: false\napproval: required\n" },
    finds: [`gate-not-strict ${gate}:2`, `gate-not-strict ${gate}:3`, `gate-not-strict ${gate}:4`],
  },
  {
    title: "checks that are not understood, all of them at once",
    files: {
      [gate]: [
        "evidence_schema:",
        "  passed: { type: integer, required: true }",
        "checks:",
        "  - { name: a, run: npm test }",
        "  - { name: b, run: [npm, test], cwd: ../other }",
        "  - { name: c, run: [npm, test], report: { format: junit, path: /tmp/a.xml } }",
        "  - { name: d, run: [npm, test], report: { format: nunit, path: a.xml } }",
        "  - { name: e, run: [npm, test], report: { format: lcov, path: a.info }, gives: { passed: passed } }",
        "  - { name: f, run: [npm, test], gives: { passed: tests } }",
        "  - { name: g, run: [npm, test], timeout: 61m }",
        "  - { name: h, run: [npm, test], timeout: 5 }",
        "  - { name: i, run: [npm, test], pins: [../package.json] }",
        "  - { name: i, file: a.md }",
        "  - { name: j, file: a.json, schema: ../a.json }",
        "  - { name: k, run: [npm, test], shell: true }",
        "  - { name: l, git: { dirty: false } }",
        "  - { name: m, run: [npm, test], file: a.md }",
        "  - { run: [npm, test] }",
        "",
      ].join("\n"),
    },
    finds: [
      ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((line) => `gate-wrong-value ${gate}:${line}`),
      `gate-unknown-key ${gate}:15`,
      `gate-unknown-key ${gate}:16`,
      `gate-wrong-value ${gate}:17`,
      `gate-wrong-value ${gate}:18`,
    ],
  },
  {
    title: "fresh of a check that only a later step has",
    files: {
      "base_actions/build/gate-definition.yaml": "approval: required\nfresh: [tests]\n",
      [gate]: "checks:\n  - { name: tests, run: [node, test.mjs] }\n",
    },
    finds: ["gate-wrong-value base_actions/build/gate-definition.yaml:2"],
  },
  {
    title: "a behavior that puts an easier check in the place of one",
    files: {
      [gate]: "checks:\n  - { name: tests, run: [node, test.mjs] }\n",
      "bots/story_bot/behaviors/shape/judge/gate-definition.yaml": "checks:\n  - { name: tests, run: [node, -v] }\n",
    },
    finds: ["gate-wrong-value bots/story_bot/behaviors/shape/judge/gate-definition.yaml:2"],
  },
  {
    title: "checks that are understood and lead nowhere",
    files: {
      [gate]: [
        "checks:",
        "  - name: a",
        "    run: [npm, test]",
        "    report: { format: junit, path: a.xml }",
        "    gives: { passed: passed }",
        "  - name: b",
        "    run: [pnpm, run, lint]",
        '    pins: ["package.json#/scripts/lint"]',
        '    reads: ["!(a)"]',
        "  - { name: c, file: a.json, schema: schemas/none.json }",
        "",
      ].join("\n"),
    },
    finds: [
      `gives-unasked ${gate}:2`,
      `unpinned-script ${gate}:2`,
      `unusable-check ${gate}:6`,
      `pin-to-nothing ${gate}:6`,
      `unusable-check ${gate}:10`,
    ],
  },
  {
    title: "gates that guard nothing: beside an independent action, and beside no action at all",
    files: {
      "base_actions/correct/gate-definition.yaml": "approval: required\n",
      "bots/story_bot/behaviors/shape/gate-definition.yaml": "approval: required\n",
      "bots/story_bot/gate-definition.yaml": "approval: required\n",
      "base_actions/gate-definition.yaml": "approval: required\n",
    },
    finds: [
      "idle-gate base_actions/correct/gate-definition.yaml:1",
      "idle-gate base_actions/gate-definition.yaml:1",
      "idle-gate bots/story_bot/behaviors/shape/gate-definition.yaml:1",
      "idle-gate bots/story_bot/gate-definition.yaml:1",
    ],
  },
];
