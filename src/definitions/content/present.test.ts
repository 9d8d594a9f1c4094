import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import type { PresentRequest, StepContent } from "../../engine/ports/definitions.ts";
import { addDefinitions, type Files, onlyBot, writeDefinitions } from "../bots/write-definitions.testing.ts";
import { formatWarning, formatWarnings } from "../loader-problem.ts";
import { presentStep } from "./present.ts";

const behavior = "bots/story_bot/behaviors/1_shape";
const config = {
  "bots/story_bot/bot_config.json": { behaviors: ["shape"], goal: "Good stories" },
};

function action(name: string, instructions?: string): Files {
  return {
    [`base_actions/${name}/action_config.json`]: { name, workflow: true, order: 1, next_action: null },
    ...(instructions === undefined ? {} : { [`base_actions/${name}/instructions.md`]: instructions }),
  };
}

function present(step: string, files: Files, more: Partial<PresentRequest> = {}): StepContent {
  const definitions = writeDefinitions({ ...config, ...action(step, "Do it."), ...files });
  const request = { workflow: "shape", step, produced: [], ...more };
  const { text, problems } = presentStep(onlyBot(definitions), request, {
    project_area: "/work",
  });
  return { text, warnings: formatWarnings(problems) };
}

describe("instructions", () => {
  test("come in the order base action, behavior, behavior for this action", () => {
    const { text, warnings } = present("gather_context", {
      [`${behavior}/instructions.json`]: { instructions: ["Shape first.", "Then ask."] },
      [`${behavior}/2_gather_context/instructions.json`]: '"Ask twice."',
    });
    expect(text).toBe("Do it.\n\nShape first.\nThen ask.\n\nAsk twice.");
    expect(warnings).toEqual([]);
  });

  test("that are missing everywhere are asked for, and the step still says what to do", () => {
    const definitions = writeDefinitions({ ...config, ...action("ponder") });
    const { text, problems } = presentStep(onlyBot(definitions), {
      workflow: "shape",
      step: "ponder",
      produced: [],
    });
    expect(text).toBe("Do ponder for shape, then submit the result.");
    expect(problems.map(formatWarning)).toEqual([
      ".waymark/base_actions/ponder: ponder has no instructions; write instructions.md.",
    ]);
  });

  test("that cannot be read are a warning that names the file", () => {
    const { text, warnings } = present("gather_context", { [`${behavior}/instructions.json`]: '{"instructions": ' });
    expect(text).toBe("Do it.");
    expect(warnings).toEqual([
      expect.stringMatching(/^\.waymark\/bots\/story_bot\/behaviors\/1_shape\/instructions\.json: it cannot be used: /),
    ]);
  });
});

describe("placeholders", () => {
  const filled = (instructions: string, files: Files = {}): StepContent =>
    present("gather_context", { "base_actions/gather_context/instructions.md": instructions, ...files });

  test("with known names are filled, whatever the braces", () => {
    const { text } = filled(
      "{{bot}} {bot_name} {{ behavior }} {action_name} {{goal}} {description} my_{bot} {{project_area}} {workspace}",
      {
        "bots/story_bot/bot_config.json": { behaviors: ["shape"], goal: "Good stories", description: "Writes stories" },
      },
    );
    expect(text).toBe(
      "story_bot story_bot shape gather_context Good stories Writes stories my_story_bot /work /work\n\nGoal: Good stories",
    );
  });

  test("with unknown names stay: double braces are reported, single ones may be code", () => {
    const { text, warnings } = filled(`{{speed}} {speed} {"a": {b}} \${goal} {{constructor}}`);
    expect(text).toBe(`{{speed}} {speed} {"a": {b}} \${goal} {{constructor}}`);
    expect(warnings).toEqual(
      ["{{speed}}", "{{constructor}}"].map(
        (name) =>
          `.waymark/base_actions/gather_context/instructions.md: the placeholder ${name} is unknown, so it is shown as it is.`,
      ),
    );
  });

  test("for material are filled with it, and it is not said again below", () => {
    const { text } = filled("Ask:\n{{key_questions}}\nNow.", { [`${behavior}/key_questions.json`]: ["Who?", "Why?"] });
    expect(text).toBe("Ask:\n1. Who?\n2. Why?\nNow.");
  });

  test("without a value are reported", () => {
    const { text, warnings } = filled("Ask {{key_questions}}.");
    expect(text).toBe("Ask (none).");
    expect(warnings).toEqual([expect.stringContaining("{{key_questions}} has no value in shape")]);
  });

  test("are filled once: what is put in is not looked at again", () => {
    expect(filled("{{key_questions}}", { [`${behavior}/questions.json`]: ["What of {{goal}}?"] }).text).toBe(
      "1. What of {{goal}}?",
    );
  });

  test("in templates stay as they are and are not reported", () => {
    const { text, warnings } = present("render_output", { [`${behavior}/templates/story.md`]: "# {{title}} {bot}" });
    expect(text).toContain("# {{title}} {bot}");
    expect(warnings).toEqual([]);
  });
});

describe("gather_context shows the questions and the evidence to collect", () => {
  test("from the guardrails of a real tree", () => {
    const { text } = present("gather_context", {
      [`${behavior}/1_guardrails/1_required_context/key_questions.json`]: {
        questions: ["Who uses it?", { question: "Why", description: "now" }],
      },
      [`${behavior}/1_guardrails/1_required_context/evidence.json`]: {
        evidence: ["Interviews", { name: "Logs", description: "of a week" }],
      },
    });
    expect(text).toBe(
      "Do it.\n\n## Key questions\n1. Who uses it?\n2. Why: now\n\n## Evidence to collect\n- Interviews\n- Logs: of a week",
    );
  });

  test("from files of the behavior, as lists, objects or Markdown", () => {
    const { text } = present("gather_context", {
      [`${behavior}/questions.md`]: "# Questions\n\n1. Who?\n- Why?\n",
      [`${behavior}/required_context.json`]: { key_questions: { scope: "How much?" }, provide: "The brief" },
    });
    expect(text).toContain(
      "## Key questions\n1. Who?\n2. Why?\n3. scope: How much?\n\n## Evidence to collect\n- The brief",
    );
  });
});

test("decide_planning_criteria shows the criteria with their options, and the typical assumptions", () => {
  const { text } = present("decide_planning_criteria", {
    [`${behavior}/guardrails/planning/decision_criteria/1_depth.json`]: {
      question: "How deep?",
      description: "Cost against risk",
      options: ["shallow", { name: "deep", description: "every path" }],
      outcome: "The depth of the stories",
    },
    [`${behavior}/planning_criteria.json`]: {
      decision_criteria: [{ criteria: "Order", options: ["risk first"] }],
      assumptions: ["One team"],
    },
    [`${behavior}/guardrails/planning/typical_assumptions.json`]: { typical_assumptions: ["English"] },
  });
  expect(text).toBe(
    "Do it.\n\n## Decisions to make\n- Order\n  - risk first\n- How deep?: Cost against risk\n  - shallow\n  - deep: every path\n  Outcome: The depth of the stories\n\n## Typical assumptions\n- One team\n- English",
  );
});

describe("templates", () => {
  test("build_knowledge shows the schema in a fence with its file's name, without white space", () => {
    const { text } = present("build_knowledge", {
      [`${behavior}/2_content/1_knowledge_graph/map.json`]: '{\n  "epics": []\n}\n',
    });
    expect(text).toBe('Do it.\n\n## Use this template\nmap.json\n```json\n{"epics":[]}\n```');
  });

  test("a broken one is shown as it is, with a warning", () => {
    const { text, warnings } = present("build_knowledge", { [`${behavior}/knowledge_schema.json`]: '{"epics": ' });
    expect(text).toContain('```json\n{"epics":\n```');
    expect(warnings).toEqual([expect.stringContaining("knowledge_schema.json: it cannot be used: ")]);
  });

  test("render_output shows every template, a fence inside one included", () => {
    const { text } = present("render_output", {
      [`${behavior}/templates/a.md`]: "# Story\n```js\nx\n```",
      [`${behavior}/content/render/templates/b.txt`]: "As a {user}",
    });
    expect(text).toBe(
      "Do it.\n\n## Templates to fill\na.md\n````md\n# Story\n```js\nx\n```\n````\n\nb.txt\n```txt\nAs a {user}\n```",
    );
  });

  test("a long one is named, and shown whole when it is asked for", () => {
    const long = { [`${behavior}/templates/long.md`]: "x".repeat(9_000) };
    const { text } = present("render_output", long);
    expect(text).toContain("- long.md (9.0 KB)");
    expect(text.length).toBeLessThan(300);
    expect(present("render_output", long, { part: "long.md" }).text).toContain("x".repeat(9_000));
  });

  test("one that is too long for one answer is shown page by page, and nothing of it is lost", () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join("\n");
    const long = { [`${behavior}/templates/long.md`]: lines };
    const pages = ["long.md", "long.md (2)", "long.md (3)"].map(
      (part) => present("render_output", long, { part }).text,
    );
    for (const page of pages) expect(page.length).toBeLessThan(17_000);
    expect(pages[0]).toContain('(continues: part "long.md (2)")');
    for (const index of [0, 1_500, 2_500, 3_999]) expect(pages.join("\n")).toContain(`line ${index}\n`);
  });

  test("a part that is not there is answered with those that are", () => {
    const { text } = present("render_output", { [`${behavior}/templates/story.md`]: "x" }, { part: "stroy.md" });
    expect(text).toBe('render_output has no part "stroy.md"; its parts are story.md; did you mean "story.md"?');
  });

  test("many together stay readable: all are named", () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${behavior}/templates/${index + 10}.md`, "x".repeat(3_900)]),
    );
    const { text } = present("render_output", many);
    expect(text.length).toBeLessThan(1_000);
    expect(text).toContain("- 29.md (3.9 KB)");
  });
});

describe("validate_rules", () => {
  const rules = {
    [`${behavior}/3_rules/plain.json`]: {
      description: "Plain words.",
      examples: [{ do: "use", dont: "utilise" }],
      must_not_match: { pattern: "utilise", glob: "*.md", severity: "warning" },
    },
    "bots/story_bot/rules/kind.md": "Be kind.",
  };

  test("shows the rules with their examples, and what is checked", () => {
    const { text } = present("validate_rules", rules, { violations: [] });
    expect(text).toBe(
      [
        "Do it.",
        "## Rules\n### plain (checked)\nPlain words.\n- Do: use\n- Don't: utilise",
        "### kind\nBe kind.",
        "## Checked by Waymark: no violations\nLeft for you to judge: the 1 not checked.",
      ].join("\n\n"),
    );
  });

  test("one-line examples are side by side; longer and half ones are separate", () => {
    const withExamples = (examples: unknown): string =>
      present("validate_rules", { [`${behavior}/3_rules/plain.json`]: { description: "Plain.", examples } }).text;
    const pair = { do: "use", dont: "utilise" };
    expect(withExamples([pair, { do: "help", dont: "facilitate" }])).toContain(
      "- Do: use | help\n- Don't: utilise | facilitate",
    );
    for (const other of [{ do: "a | b", dont: "c" }, { do: "two\nlines", dont: "c" }, { do: "help" }])
      expect(withExamples([pair, other])).toContain("- Do: use\n- Don't: utilise\n- Do: ");
  });

  test("shows every violation with rule, file, line and message", () => {
    const { text } = present("validate_rules", rules, {
      violations: [
        { rule: "plain", severity: "warning", file: "docs/a.md", line: 3, message: "utilise → use" },
        { rule: "plain", severity: "error", file: "docs/b.md", message: "too long" },
      ],
    });
    expect(text).toContain(
      "## Checked by Waymark: 2 violations\n- plain (warning), docs/a.md:3: utilise → use\n- plain, docs/b.md: too long\nLeft for you",
    );
  });

  test("reports what in the rules cannot be used", () => {
    const { warnings } = present("validate_rules", { [`${behavior}/rules/bad.json`]: { must_match: "(?=x)" } });
    expect(warnings).toEqual([
      expect.stringContaining("rules/bad.json: a check of bad cannot run and counts as failed: "),
    ]);
  });
});

test("correct_bot explains how to submit a correction and lists the rules", () => {
  const { text } = present("correct_bot", { [`${behavior}/rules/plain.json`]: { description: "Plain words." } });
  expect(text).toContain('{"rule": name, "dont": what was wrong, "do": what is right');
  expect(text).toContain("Rules: plain.");
  expect(present("correct_bot", { [`${behavior}/instructions.md`]: "x" }).text).toContain(
    "There are no rules yet; the first one goes into .waymark/bots/story_bot/behaviors/1_shape/rules/<name>.json.",
  );
});

describe("what earlier actions produced", () => {
  const content = [{ path: "docs/a.md", bytes: 10, sha256: "0" }];

  test("is shown to any action, the newest first", () => {
    const { text } = present(
      "ponder",
      {},
      {
        produced: [
          { workflow: "prepare", step: "gather_context", outputs: { users: ["me", "you"] }, content: [] },
          { workflow: "shape", step: "build_knowledge", outputs: { epics: 3, note: "two\nlines" }, content },
          { workflow: "shape", step: "ponder", outputs: { mine: true }, content: [] },
        ],
      },
    );
    expect(text).toBe(
      'Do it.\n\n## What earlier actions produced\n- **build_knowledge**: epics: 3; note: two lines; files docs/a.md\n- **prepare.gather_context**: users: ["me","you"]',
    );
  });

  test("inside the same behavior: only where the newest is kept", () => {
    const kept = (step: string) => ({
      ...{ workflow: "shape", step, outputs: { text: "x" }, content: [] },
      record: `story_bot/shape/${step}.md`,
    });
    const { text } = present("ponder", {}, { produced: [kept("one"), kept("two")], brief: true });
    expect(text).toBe("Do it.\n\n## Earlier\nstory_bot/shape/two.md");
  });

  test("stays within 1,600 characters: the older is cut, with the file to read", () => {
    const produced = Array.from({ length: 20 }, (_, index) => ({
      workflow: "shape",
      step: `step_${index}`,
      outputs: { text: "x".repeat(500) },
      content: [],
      record: `story_bot/shape/step_${index}.md`,
    }));
    const { text } = present("ponder", {}, { produced });
    expect(text.length).toBeLessThan(1_700);
    expect(text).toContain(`- **step_19**: text: ${"x".repeat(500)}\n`);
    expect(text).toContain("… (full text: story_bot/shape/step_17.md)");
    expect(text).toContain("- Earlier: step_16 in story_bot/shape/step_16.md, ");
  });

  test("one that is too long for the room is cut even where it is the newest", () => {
    const { text } = present(
      "ponder",
      {},
      {
        produced: [{ workflow: "shape", step: "a", outputs: { text: "x".repeat(5_000) }, content: [], record: "r.md" }],
      },
    );
    expect(text.length).toBeLessThan(1_700);
    expect(text).toMatch(/… \(full text: r\.md\)$/);
  });
});

test("a material file nested without end does no harm", () => {
  const deep = `${'{"questions":['.repeat(5_000)}"x"${"]}".repeat(5_000)}`;
  expect(present("gather_context", { [`${behavior}/questions.json`]: deep }).text).toContain("Do it.");
  expect(present("decide_planning_criteria", { [`${behavior}/planning_criteria.json`]: deep }).text).toContain(
    "Do it.",
  );
});

test("no JSON in the material files makes a step throw", () => {
  const files = [
    "key_questions",
    "required_context",
    "planning_criteria",
    "typical_assumptions",
    "knowledge_schema",
    "instructions",
    "rules/one",
  ];
  const steps = [
    "gather_context",
    "decide_planning_criteria",
    "build_knowledge",
    "render_output",
    "validate_rules",
    "correct_bot",
  ];
  const definitions = writeDefinitions({
    ...config,
    ...Object.assign({}, ...steps.map((step) => action(step, "{{rules}} {{key_questions}}"))),
  });
  const key = fc.constantFrom(
    "questions",
    "evidence",
    "criteria",
    "options",
    "assumptions",
    "instructions",
    "name",
    "description",
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(key, tie("json")),
      fc.array(tie("json"), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      addDefinitions(
        definitions,
        Object.fromEntries(files.map((file) => [`${behavior}/${file}.json`, JSON.stringify(value)])),
      );
      const tree = onlyBot(definitions);
      for (const step of steps) presentStep(tree, { workflow: "shape", step, produced: [], violations: [] });
    }),
    { numRuns: wholeOr(200, 50) },
  );
});
