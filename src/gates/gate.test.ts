import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../kit/json.ts";
import { combineGates } from "./combine-gates.ts";
import { describeComparisonOf } from "./describe-rules.ts";
import type { EvidenceRule, Gate, Requirement } from "./gate.ts";
import { requiredFormat } from "./gate-format.ts";
import { findGaps, listGaps } from "./judge-evidence.ts";
import { describeRule } from "./rule-vocabulary.ts";

function need(field: string, type: Requirement["type"], more: Partial<Requirement> = {}): Requirement {
  return { field, type, required: true, description: `the ${field}`, rules: [], ...more };
}

function gateOf(requirements: readonly Requirement[], more: Partial<Gate> = {}): Gate {
  return { requirements, comparisons: [], examples: {}, rulesHold: false, approval: false, ...more };
}

const gapsOf = (requirement: Requirement, value: Json) =>
  findGaps(gateOf([requirement]), { [requirement.field]: value }, new Map());

describe("seed 004's own vector", () => {
  const gate = gateOf([
    need("function_count", "integer", { rules: [{ kind: "more_than", limit: 0 }] }),
    need("method_count", "integer"),
    need("branch_count", "integer"),
    need("ast_command_output", "string"),
    need("functions_list", "list", { rules: [{ kind: "length_at_least", limit: 1 }] }),
  ]);

  test("complete evidence passes", () => {
    const evidence = {
      function_count: 21,
      method_count: 15,
      branch_count: 36,
      ast_command_output: "def compile()...",
      functions_list: ["compile", "parse"],
    };
    expect(findGaps(gate, evidence, new Map())).toEqual([]);
  });

  test("of five fields one is given: exactly four are missing", () => {
    expect(findGaps(gate, { function_count: 21 }, new Map())).toEqual([
      "method_count (required: the method_count)",
      "branch_count (required: the branch_count)",
      "ast_command_output (required: the ast_command_output)",
      "functions_list (required: the functions_list)",
    ]);
  });
});

describe("a type", () => {
  test("is what the contract calls it, and nothing is two things", () => {
    const expected: [Requirement["type"], Json, string | null][] = [
      ["integer", 3, null],
      ["integer", 3.0, null],
      ["integer", 3.5, "number"],
      ["integer", "3", "string"],
      ["integer", true, "boolean"],
      ["number", 3, null],
      ["number", 3.5, null],
      ["number", "3.5", "string"],
      ["number", Number.POSITIVE_INFINITY, "infinity"],
      ["boolean", 1, "integer"],
      ["boolean", "true", "string"],
      ["string", 7, "integer"],
      ["string", ["a"], "list"],
      ["list", { 0: "a", length: 1 }, "object"],
      ["list", "[]", "string"],
      ["object", [], "list"],
      ["object", {}, null],
    ];
    for (const [type, value, got] of expected) {
      const gaps = got === null ? [] : [`f (wrong type: expected ${type}, got ${got})`];
      expect(gapsOf(need("f", type), value), `${type} ${JSON.stringify(value)}`).toEqual(gaps);
    }
  });

  test("a text that is no date is told how a date is written", () => {
    expect(gapsOf(need("f", "date"), "2026-01-31")).toEqual([]);
    expect(gapsOf(need("f", "date"), "yesterday")).toEqual([
      "f (wrong type: expected date such as 2026-01-31, got string)",
    ]);
  });

  test("null is missing, and so is a name that is only inherited", () => {
    expect(gapsOf(need("f", "integer"), null)).toEqual(["f (required: the f)"]);
    for (const field of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(findGaps(gateOf([need(field, "object")]), {})).toEqual([`${field} (required: the ${field})`]);
      const inherited: JsonObject = Object.create({ [field]: {} });
      expect(findGaps(gateOf([need(field, "object")]), inherited)).toHaveLength(1);
    }
    const own: JsonObject = JSON.parse('{"__proto__": {"a": 1}}');
    expect(findGaps(gateOf([need("__proto__", "object")]), own)).toEqual([]);
    expect(findGaps(gateOf([need("a", "integer")]), own)).toEqual(["a (required: the a)"]);
  });
});

describe("what is asked for without being said", () => {
  test("a required boolean must be true, unless its rule says otherwise", () => {
    expect(gapsOf(need("f", "boolean"), false)).toEqual(["f (validation failed: must be true)"]);
    expect(gapsOf(need("f", "boolean", { required: false }), false)).toEqual([]);
    expect(gapsOf(need("f", "boolean", { rules: [{ kind: "equals", value: false }] }), false)).toEqual([]);
    expect(gapsOf(need("f", "boolean", { rules: [{ kind: "equals", value: false }] }), true)).toHaveLength(1);
    expect(gapsOf(need("f", "boolean", { rules: [{ kind: "one_of", values: [true, false] }] }), false)).toEqual([]);
  });

  test("a blank text is no evidence, unless it may be empty", () => {
    for (const blank of ["", "  ", "\n\t", "\u200b\ufeff", "\u2060\u00ad", "\u3164"]) {
      expect(gapsOf(need("f", "string"), blank)).toEqual(["f (required: the f; the submitted value is empty)"]);
      expect(gapsOf(need("f", "string", { mayBeEmpty: true }), blank)).toEqual([]);
      expect(gapsOf(need("f", "string", { required: false }), blank)).toEqual([]);
      const filled = need("f", "string", { required: false, rules: [{ kind: "length_at_least", limit: 1 }] });
      expect(gapsOf(filled, blank)).toEqual(["f (validation failed: must not be empty)"]);
    }
    expect(gapsOf(need("f", "string", { rules: [{ kind: "one_of", values: ["", "x"] }] }), "")).toEqual([]);
  });

  test("a list with nothing to see in it is no evidence, unless it may be empty; kept gates go on as they began", () => {
    for (const empty of [[], [""], [" ", "\u200b"], [null], [[]], [{}], [[""], { note: null }]]) {
      expect(gapsOf(need("f", "list", { mayBeEmpty: false }), empty), JSON.stringify(empty)).toHaveLength(1);
      expect(gapsOf(need("f", "list", { mayBeEmpty: true }), empty)).toEqual([]);
      expect(gapsOf(need("f", "list"), empty)).toEqual([]);
    }
    const two = need("f", "list", { rules: [{ kind: "length_at_least", limit: 2 }] });
    expect(gapsOf(two, ["a", "\u200b"])).toEqual(["f (validation failed: must be at least 2 long, is 1)"]);
    expect(gapsOf(two, [{}, {}])).toHaveLength(1);
    expect(gapsOf(two, ["a", false])).toEqual([]);
    expect(gapsOf(two, [{ done: false }, [0]])).toEqual([]);
  });

  test("an optional field that is given is judged like any other", () => {
    const optional = need("f", "integer", { required: false, rules: [{ kind: "at_least", limit: 5 }] });
    expect(findGaps(gateOf([optional]), {})).toEqual([]);
    expect(gapsOf(optional, "5")).toHaveLength(1);
    expect(gapsOf(optional, 4)).toEqual(["f (validation failed: must be at least 5, is 4)"]);
  });
});

describe("a rule", () => {
  const cases: [Requirement["type"], EvidenceRule, Json[], Json[]][] = [
    ["integer", { kind: "at_least", limit: 5 }, [5, 6], [4, -5]],
    ["number", { kind: "more_than", limit: 0.5 }, [0.51, 1], [0.5, 0]],
    ["integer", { kind: "at_most", limit: 5 }, [5, -9], [6]],
    ["integer", { kind: "less_than", limit: 5 }, [4], [5]],
    ["string", { kind: "length_at_least", limit: 2 }, ["ab", "😀b"], ["a", "😀"]],
    ["list", { kind: "length_at_least", limit: 2 }, [[1, 2]], [[], [1]]],
    ["object", { kind: "length_at_most", limit: 1 }, [{}, { a: 1 }], [{ a: 1, b: 2 }]],
    ["string", { kind: "equals", value: "high" }, ["high"], ["High", "highest"]],
    ["list", { kind: "equals", value: ["a", { b: 1 }] }, [["a", { b: 1 }]], [["a"], ["a", { b: 1, c: 2 }]]],
    ["string", { kind: "differs_from", value: "none" }, ["some"], ["none"]],
    ["integer", { kind: "one_of", values: [1, 2] }, [1, 2], [3]],
    ["string", { kind: "contains", text: "b" }, ["abc"], ["ac"]],
    ["list", { kind: "contains", text: "b" }, [["a", "b"]], [["ab"]]],
    ["string", { kind: "lacks", text: "b" }, ["ac"], ["abc"]],
  ];
  test.each(cases)("of a %s: %j", (type, rule, good, bad) => {
    for (const value of good) expect(gapsOf(need("f", type, { rules: [rule] }), value)).toEqual([]);
    for (const value of bad)
      expect(gapsOf(need("f", type, { rules: [rule] }), value)[0]).toMatch(/^f \(validation failed: must /);
  });

  test("that is broken is named with the others of its field", () => {
    const rules: EvidenceRule[] = [
      { kind: "at_least", limit: 5 },
      { kind: "one_of", values: [7, 8] },
    ];
    expect(gapsOf(need("f", "integer", { rules }), 3)).toEqual([
      "f (validation failed: must be at least 5, is 3; must be one of: 7, 8)",
    ]);
  });

  test("that nobody has looked at is not proved", () => {
    const rules: EvidenceRule[] = [{ kind: "file_exists" }, { kind: "matches", pattern: "^a", flags: "" }];
    const gate = gateOf([need("f", "string", { rules })]);
    expect(findGaps(gate, { f: "a" })).toEqual([
      "f (validation error: it could not be checked: it must be the path of a file that exists; it could not be checked: it must be a match of /^a/)",
    ]);
    const proved = new Map([
      ["f:file_exists", null],
      ["f:matches", null],
    ]);
    expect(findGaps(gate, { f: "a" }, proved)).toEqual([]);
    expect(findGaps(gate, { f: "a" }, new Map([...proved, ["f:matches", "must begin with a"]]))).toEqual([
      "f (validation failed: must begin with a)",
    ]);
  });

  test("that cannot be asked of a value is not proved", () => {
    expect(gapsOf(need("f", "string", { rules: [{ kind: "at_least", limit: 1 }] }), "5")).toEqual([
      "f (validation error: it must be at least 1, but it is not a number)",
    ]);
    expect(gapsOf(need("f", "integer", { rules: [{ kind: "length_at_least", limit: 1 }] }), 5)[0]).toContain(
      "validation error",
    );
    expect(gapsOf(need("f", "object", { rules: [{ kind: "contains", text: "a" }] }), { a: 1 })[0]).toContain(
      "validation error",
    );
  });
});

describe("a demand on several fields", () => {
  const fields = [need("passed", "integer"), need("total", "integer"), need("names", "list", { required: false })];
  const gate = (
    comparison: Omit<Gate["comparisons"][number], "message">,
    message = "not more can pass than there are",
  ) => gateOf(fields, { comparisons: [{ ...comparison, message }] });
  const most = { left: { field: "passed" }, is: "at_most", right: { field: "total" } } as const;

  test("is named with the fields that it is about", () => {
    expect(findGaps(gate(most), { passed: 3, total: 4 })).toEqual([]);
    expect(findGaps(gate(most), { passed: 5, total: 4 })).toEqual([
      "passed, total (validation failed: not more can pass than there are)",
    ]);
    expect(findGaps(gate(most, ""), { passed: 5, total: 4 })).toEqual([
      "passed, total (validation failed: passed must be at most total)",
    ]);
  });

  test("is not held against evidence twice", () => {
    expect(findGaps(gate(most), { total: 4 })).toEqual(["passed (required: the passed)"]);
    expect(findGaps(gate(most), { passed: "5", total: 4 })).toHaveLength(1);
  });

  test("does not apply where its fields are all left out, and is not proved where only some are", () => {
    const counted = { left: { lengthOf: "names" }, is: "equal_to", right: { field: "total" } } as const;
    expect(findGaps(gate(counted), { passed: 1, total: 1 })).toEqual([
      "names, total (validation error: names must be present as well)",
    ]);
    expect(findGaps(gate(counted), { passed: 1, total: 1, names: ["a"] })).toEqual([]);
    const alone = { left: { lengthOf: "names" }, is: "at_least", right: { value: 2 } } as const;
    expect(findGaps(gate(alone), { passed: 1, total: 1 })).toEqual([]);
    const stranger = { left: { field: "stranger" }, is: "at_least", right: { value: 2 } } as const;
    expect(findGaps(gate(stranger), { passed: 1, total: 1 })).toHaveLength(1);
  });

  test("adds up, and cannot be told of what is no number", () => {
    const sum = {
      left: { sum: [{ field: "passed" }, { value: 1 }] },
      is: "equal_to",
      right: { field: "total" },
    } as const;
    expect(findGaps(gate(sum), { passed: 1, total: 2 })).toEqual([]);
    expect(findGaps(gate(sum), { passed: 2, total: 2 })).toHaveLength(1);
    const halves = gateOf([need("a", "number"), need("b", "number")], {
      comparisons: [
        { left: { sum: [{ field: "a" }, { field: "b" }] }, is: "equal_to", right: { value: 0.3 }, message: "" },
      ],
    });
    expect(findGaps(halves, { a: 0.1, b: 0.2 })).toEqual([]);
    const odd = { left: { field: "names" }, is: "more_than", right: { value: 1 } } as const;
    expect(findGaps(gate(odd), { passed: 1, total: 1, names: [2] })[0]).toContain("(validation error: ");
  });
});

describe("a demand that looks back", () => {
  const comparison = {
    left: { field: "cases" },
    is: "equal_to",
    right: { field: "planned", step: 4 },
    message: "",
  } as const;
  const gate = gateOf([need("cases", "integer")], { comparisons: [comparison] });

  test("is held against what the earlier phase put on record", () => {
    expect(findGaps(gate, { cases: 3 }, new Map(), new Map([[4, { planned: 3 }]]))).toEqual([]);
    expect(findGaps(gate, { cases: 4 }, new Map(), new Map([[4, { planned: 3 }]]))).toEqual([
      "cases (validation failed: cases must be equal to planned of phase 4)",
    ]);
  });

  test("is not proved where nothing is on record, or only in the evidence at hand", () => {
    expect(listGaps(gate, { cases: 3, planned: 3 })).toEqual([
      {
        field: "cases",
        kind: "validation_error",
        text: "cases (validation error: planned of phase 4 is not on record)",
      },
    ]);
  });
});

describe("a name that is close to a missing one is named with it", () => {
  test.each([
    ["functional_requirements_listed", "functional_requirements_count"],
    ["function_count", "functionCount"],
    ["function_count", "Function_Count"],
    ["function_count", "functon_count"],
    ["tests_passed", "test_passed"],
    ["coverage_percent", "coverage"],
    ["branch_count", "branches_count"],
  ])("%s by %s", (asked, given) => {
    expect(findGaps(gateOf([need(asked, "integer")]), { [given]: 3 })).toEqual([
      `${asked} (required: the ${asked}; did you send it as ${given}?)`,
    ]);
  });

  test("unless it is another field, far off, or no name at all", () => {
    const gate = gateOf([need("function_count", "integer"), need("functions_count", "integer")]);
    expect(findGaps(gate, { functions_count: 3 })).toEqual(["function_count (required: the function_count)"]);
    for (const name of ["weather", "x", "function_count\n(passed)", "f".repeat(5_000)])
      expect(findGaps(gateOf([need("function_count", "integer")]), { [name]: 3 })[0]).not.toContain("did you mean");
  });

  test("each once, the nearest first", () => {
    const gate = gateOf([need("tests_written", "integer"), need("tests_passed", "integer")]);
    expect(findGaps(gate, { tests_writen: 1, test_passed: 1 })).toEqual([
      "tests_written (required: the tests_written; did you send it as tests_writen?)",
      "tests_passed (required: the tests_passed; did you send it as test_passed?)",
    ]);
  });
});

test("what is required is never described by nothing", () => {
  const requirement = need("f", "integer", { description: " ", rules: [{ kind: "at_least", limit: 2 }] });
  expect(findGaps(gateOf([requirement]), {})).toEqual(["f (required: integer, at least 2)"]);
});

test("a gate that cannot be read has a gap whatever the evidence", () => {
  const closed = { file: "g.yaml", message: "line 1: no" };
  expect(findGaps(gateOf([], { closed }), {})).toHaveLength(1);
});

test("the required format says type, description and rule of every field", () => {
  const gate = gateOf(
    [
      need("n", "integer", {
        rules: [
          { kind: "at_least", limit: 5 },
          { kind: "at_most", limit: 9 },
        ],
      }),
      need("ok", "boolean"),
      need("s", "string", { required: false }),
    ],
    { comparisons: [{ left: { field: "s" }, is: "different_from", right: { value: "x" }, message: "" }] },
  );
  expect(requiredFormat(gate)).toEqual({
    n: { type: "integer", required: true, checked: true, description: "the n", rule: "at least 5; at most 9" },
    ok: { type: "boolean", required: true, checked: true, description: "the ok", rule: "true" },
    s: { type: "string", required: false, checked: true, description: "the s", rule: "different from x" },
  });
  expect(describeRule({ kind: "one_of", values: ["a", "b"] })).toBe("one of: a, b");
});

describe("two gates of one step", () => {
  test("ask for everything that either asks for", () => {
    const first = gateOf([need("n", "number", { rules: [{ kind: "at_least", limit: 1 }] }), need("a", "string")], {
      approval: true,
    });
    const second = gateOf(
      [need("n", "integer", { required: false, description: "how many", rules: [{ kind: "at_most", limit: 5 }] })],
      {
        comparisons: [{ left: { field: "n" }, is: "at_least", right: { value: 2 }, message: "" }],
        examples: { n: 3 },
      },
    );
    const both = combineGates(first, second);
    expect(both.requirements).toEqual([
      need("n", "integer", {
        description: "how many",
        rules: [
          { kind: "at_least", limit: 1 },
          { kind: "at_most", limit: 5 },
        ],
      }),
      need("a", "string"),
    ]);
    expect(both).toMatchObject({ approval: true, examples: { n: 3 }, comparisons: [{ is: "at_least" }] });
  });

  test("that ask of one field what no value can be are closed", () => {
    const limited = (rule: EvidenceRule) => gateOf([{ ...need("n", "integer"), rules: [rule] }]);
    const both = combineGates(limited({ kind: "at_least", limit: 9 }), limited({ kind: "at_most", limit: 2 }));
    expect(both.closed?.message).toBe("no value of n can be at least 9 and at most 2");
  });

  test("that ask for one field in two types are closed", () => {
    expect(combineGates(gateOf([need("n", "integer")]), gateOf([need("n", "string")])).closed?.message).toContain(
      "n is string here",
    );
  });
});

test("a field of an earlier step is named as such, also where the gate asks for one of the same name", () => {
  const comparison = { left: { field: "n", step: 1 }, is: "at_most", right: { field: "m" }, message: "" } as const;
  expect(describeComparisonOf("n", comparison)).toContain("n of ");
  expect(describeComparisonOf("n", { ...comparison, left: { field: "n" } })).toBe("at most m");
});
