import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Gate } from "../../gates/gate.ts";
import { problemText } from "../../gates/problem.ts";
import { writeDefinitions } from "../bots/write-definitions.testing.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { readGateIn } from "./gate-file.ts";

function gateOf(text: string, name = "gate-definition.yaml"): Gate | undefined {
  const definitions = writeDefinitions({ [`base_actions/a/${name}`]: text });
  return readGateIn(filesOf(definitions), join(definitions, "base_actions/a"));
}

const line = (line: number) => ({
  rules: [],
  source: { file: ".waymark/base_actions/a/gate-definition.yaml", line },
});

const closedBecause = (text: string) => {
  const closed = gateOf(text)?.closed;
  return closed === undefined ? undefined : problemText(closed);
};

test("gate keys in action_config.json close the gate, since nothing reads them there", () => {
  for (const config of ['{ "approval": "required" }', '{\n  "checks": []\n}', '{ "evidence_schema": {} }']) {
    const closed = gateOf(config, "action_config.json")?.closed;
    expect(closed).toMatchObject({ file: ".waymark/base_actions/a/action_config.json", code: "gate-unknown-key" });
    expect(closed?.message).toContain("belongs in the gate file, not in action_config.json");
  }
  expect(gateOf('{ "approval": false, "order": 1 }', "action_config.json")).toBeUndefined();
});

test("a gate asks for evidence, for rules that hold, and for a person's approval", () => {
  const gate = gateOf(`
checkpoint: { strict: false, allow_override: true }
evidence_schema:
  tests_pass: { type: boolean, description: "All  tests pass" }
  count: { type: integer, required: true }
  share: { type: float, required: false, description: 4 }
  items: { type: array }
  notes: { type: string }
  detail: { type: object }
  ratio: { type: number }
approval: required
checks: [rules]
`);
  expect(gate).toEqual({
    requirements: [
      { field: "tests_pass", type: "boolean", required: true, description: "All tests pass", ...line(4) },
      { field: "count", type: "integer", required: true, description: "integer", ...line(5) },
      { field: "share", type: "number", required: false, description: "4", ...line(6) },
      { field: "items", type: "list", required: true, description: "list", mayBeEmpty: false, ...line(7) },
      { field: "notes", type: "string", required: true, description: "string", ...line(8) },
      { field: "detail", type: "object", required: true, description: "object", ...line(9) },
      { field: "ratio", type: "number", required: true, description: "number", ...line(10) },
    ],
    comparisons: [],
    examples: {},
    rulesHold: true,
    approval: true,
    approvalSource: { file: ".waymark/base_actions/a/gate-definition.yaml", line: 11 },
  });
});

test("a validator, a rule between fields and an example belong to the gate; names and versions change nothing", () => {
  const gate = gateOf(`
version: 1
phase: 3
title: Coverage
checkpoint: { enabled: true, strict: true, allow_override: false }
evidence_schema:
  passed: { type: integer, validator: non_negative, example: 12 }
  total: { type: integer, validator: in_range }
  level: { type: string, enum: [low, high] }
  notes: { type: string, required: false, may_be_empty: true, example: fine }
validators:
  in_range: { min: 1, max: 500 }
cross_field_validation:
  - rule: passed <= total
    error_message: Not more can pass than there are
`);
  const source = (line: number) => ({ file: ".waymark/base_actions/a/gate-definition.yaml", line });
  expect(gate?.closed).toBeUndefined();
  expect(gate?.requirements.map(({ field, rules, mayBeEmpty }) => [field, rules, mayBeEmpty])).toEqual([
    ["passed", [{ kind: "at_least", limit: 0 }], undefined],
    [
      "total",
      [
        { kind: "at_least", limit: 1 },
        { kind: "at_most", limit: 500 },
      ],
      undefined,
    ],
    ["level", [{ kind: "one_of", values: ["low", "high"] }], undefined],
    ["notes", [], true],
  ]);
  expect(gate?.comparisons).toEqual([
    {
      left: { field: "passed" },
      is: "at_most",
      right: { field: "total" },
      message: "Not more can pass than there are",
      source: source(14),
    },
  ]);
  expect(gate?.examples).toEqual({ passed: 12, notes: "fine" });
});

// Attack (tools): Get through a gate that cannot be read, a rule that is not understood, or a phase that asks for nothing
test("a rule that is not understood closes the gate and is named with its line", () => {
  expect(closedBecause("evidence_schema:\n  n:\n    type: integer\n    validator: is_prime")).toContain(
    "line 4: the validator of n is not understood: the validator is_prime is unknown; use min, greater_than, max, ",
  );
  expect(closedBecause("evidence_schema:\n  n: { type: integer }\ncross_field_validation:\n  - n >= m")).toBe(
    `line 4: the cross-field rule "n >= m" is not understood: the field m is not in evidence_schema; use n`,
  );
  const rules = "evidence_schema:\n  n: { type: integer }\ncross_field_validation:\n  - ";
  expect(closedBecause(`${rules}{ rul: n > 1 }`)).toContain('it has no rule; use rule: "a >= b", and message');
  expect(closedBecause(`${rules}{ rule: n > 1, severity: high }`)).toContain("is unknown; use rule and message");
  expect(closedBecause("evidence_schema:\n  n: { type: integer, validator: { at_leest: 1 } }")).toContain(
    'the key "at_leest" of a validator is unknown; did you mean "at_least"?; use min, ',
  );
  for (const limits of ["min: 5, max: 3", "validator: [greater_than_5, less_than_3]", "min: 5, equals: 3"])
    expect(closedBecause(`evidence_schema:\n  n: { type: integer, ${limits} }`)).toContain(
      "line 2: no value of n can be",
    );
  expect(closedBecause("approval: true\ncross_field_validation: {}")).toContain("must be a list");
  expect(closedBecause("approval: true\nvalidators: [a]")).toContain("must be a mapping");
  expect(closedBecause("approval: true\nphase: { gate: off }")).toContain("must be a string");
});

test("approval is asked for by required, true, or a mapping", () => {
  expect(gateOf("approval: true")?.approval).toBe(true);
  expect(gateOf("approval: { required: true }")?.approval).toBe(true);
  expect(gateOf("approval: false\nchecks: [rules]")?.approval).toBe(false);
  expect(closedBecause("approval: maybe")).toBe(
    `line 1: approval must be "required", true or false, or have level, by, count, expires, question or when`,
  );
  expect(closedBecause("approval: { required: true, from: me }")).toBe(
    `line 1: the key "from" of approval is unknown; use level, by, count, expires, question, when`,
  );
});

test("a folder without a gate file has no gate", () => {
  expect(gateOf("Do it.", "instructions.md")).toBeUndefined();
});

test("a key that is not understood closes the gate and is named with its line", () => {
  expect(closedBecause("approval: true\nvalidaters: {}")).toMatch(
    /^line 2: the key "validaters" is unknown; use .*validators, evidence_schema, /,
  );
  expect(closedBecause("evidence_schema:\n  n:\n    type: integer\n    validater: positive")).toMatch(
    /^line 4: the key "validater" of n is unknown; use type, required, .*validator/,
  );
  for (const key of ["validators: [non_empty]", "validator_params: { n: 1 }", "examples: [1]", "flags: i"])
    expect(closedBecause(`evidence_schema:\n  n: { type: string, ${key} }`)).toContain(`"${key.split(":")[0]}" of n`);
  expect(closedBecause("approval: true\nexamples: [{ n: 1 }]")).toContain(`"examples" is unknown`);
  expect(closedBecause("checkpoint: { lax: true }\napproval: true")).toContain(`"lax" of checkpoint`);
});

test("a value that is not understood closes the gate", () => {
  expect(closedBecause("evidence_schema:\n  n: { type: moment }")).toBe(
    `line 2: the field n has the unknown type "moment"; use boolean, integer, number, string, list, object, file, url, date, any`,
  );
  expect(closedBecause("evidence_schema:\n  n: { required: true }")).toBe("line 2: the field n has no type");
  expect(closedBecause("evidence_schema:\n  n: integer")).toContain("must be a mapping");
  expect(closedBecause("evidence_schema:\n  n: { type: integer, required: perhaps }")).toContain("required of n");
  expect(closedBecause("evidence_schema:\n  n: { type: integer, description: [1] }")).toContain("description of n");
  expect(closedBecause("evidence_schema: []")).toContain("at least one field");
  expect(closedBecause("evidence_schema:\n  - { name: n, type: integer }")).toContain("must be a mapping");
  expect(closedBecause("human_approval: perhaps")).toContain("human_approval must be");
  expect(closedBecause("checks: rules")).toContain("must be a list");
  expect(closedBecause("checks: [lint]")).toContain(`the check "lint"`);
  expect(closedBecause("- approval")).toContain("mapping");
});

test("habits of other authors that cannot weaken a gate are understood", () => {
  const text =
    "evidence_schema:\n  n: { type: integer, required: yes, default: 3 }\n  o: { type: integer, required: no }\n";
  expect(gateOf(`${text}human_approval: required\n`)).toMatchObject({
    approval: true,
    requirements: [
      { field: "n", required: true },
      { field: "o", required: false },
    ],
  });
});

test("a file that asks for nothing closes the gate", () => {
  for (const text of [
    "",
    "\n\n# later\n",
    "---\n",
    "{}",
    "checkpoint: { strict: true }",
    "checks: []",
    "approval: false",
    "evidence_schema: { a: { type: string, required: false } }",
  ]) {
    expect(closedBecause(text)).toBe("the file requires nothing");
  }
});

test("YAML that is broken, ambiguous or more than plain data closes the gate", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`;
  const texts = [
    "evidence_schema: {",
    "approval: true\napproval: false",
    "approval: true\n---\napproval: false",
    "approval: !!js/function 'x'",
    "approval: !approve required",
    "checks: [!!binary cnVsZXM=]",
    "%YAML 1.1\n---\nbase: &b { approval: yes }\n<<: *b",
    "? [a]\n: b",
    "approval: *nobody",
    bomb,
    `approval: ${"[".repeat(60_000)}`,
    `approval: ${"- ".repeat(30_000)}`,
    `approval:\n  ${"? ".repeat(30_000)}`,
    Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join("\n"),
    `# ${"x".repeat(300_000)}\napproval: true`,
  ];
  for (const text of texts) expect(gateOf(text)?.closed?.file).toBe(".waymark/base_actions/a/gate-definition.yaml");
});

test("a field may have any name", () => {
  const gate = gateOf(`evidence_schema:\n  __proto__: { type: string }\n  "7": { type: list }\n  true: { type: list }`);
  expect(gate?.requirements.map(({ field }) => field).sort()).toEqual(["7", "__proto__", "true"]);
});

test("a gate file that would be overlooked closes the gate", () => {
  for (const name of ["gate_definition.yaml", "Gate-Definition.YAML", "gate-definition.json", "gate-definitions.yml"])
    expect(gateOf("approval: true", name)?.closed?.message).toContain("must be named gate-definition.yaml");
  expect(gateOf("approval: true", "gate-definition.yml")).toMatchObject({ approval: true });

  const both = writeDefinitions({
    "a/gate-definition.yaml": "approval: true",
    "a/gate-definition.yml": "approval: false",
  });
  expect(readGateIn(filesOf(both), join(both, "a"))?.closed?.message).toContain("only one");
});

test("a gate file that is there and cannot be read closes the gate", () => {
  const definitions = writeDefinitions({ "a/x.md": "" });
  symlinkSync("/nowhere/at/all", join(definitions, "a/gate-definition.yaml"));
  expect(readGateIn(filesOf(definitions), join(definitions, "a"))?.closed?.message).toContain("is a broken link");
  mkdirSync(join(definitions, "b/gate-definition.yaml"), { recursive: true });
  expect(readGateIn(filesOf(definitions), join(definitions, "b"))?.closed?.message).toBe("it is not a file");
});

describe("what an approval takes", () => {
  test("is read whole: level, names, number and how long", () => {
    const gate = gateOf("approval: { level: proven, by: [Dana, lee], count: 2, expires: 12h }");
    expect(gate).toMatchObject({
      approval: true,
      approvalNeeds: { level: "proven", by: ["dana", "lee"], count: 2, expires: 43_200 },
    });
    expect(gateOf("approval: required")?.approvalNeeds).toBeUndefined();
    expect(gateOf("approval: { level: elicited }")?.approvalNeeds).toEqual({ level: "elicited", count: 1 });
  });

  test("names and numbers take a key, said or not", () => {
    expect(gateOf("approval: { by: dana }")?.approvalNeeds).toEqual({ level: "proven", by: ["dana"], count: 1 });
    expect(gateOf("approval: { count: 2 }")?.approvalNeeds).toEqual({ level: "proven", count: 2 });
  });

  test.each([
    "{}",
    "{ level: notarized }",
    "{ level: elicited, by: [dana] }",
    "{ level: relayed, count: 2 }",
    "{ by: [] }",
    "{ by: [dana, 7] }",
    "{ by: [dana], count: 2 }",
    "{ count: 0 }",
    "{ count: two }",
    "{ expires: soon }",
    "{ expires: 0s }",
    "{ expires: 900d }",
    "{ required: false, level: proven }",
    "{ levle: proven }",
    "[dana]",
  ])("%s is not understood, and closes the gate", (written) => {
    expect(gateOf(`approval: ${written}`)?.closed).toBeDefined();
  });
});
