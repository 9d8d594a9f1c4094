import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { PhasedWorkflowReading } from "../engine/ports/phased.ts";
import type { JsonObject } from "../kit/json.ts";
import { addDefinitions, type Files, writeDefinitions } from "./bots/write-definitions.testing.ts";
import { phasedFiles } from "./phases/phased-files.testing.ts";
import type { PhasedWorkflow } from "./phases/phased-workflow.ts";

const gate = "\n## Validation Gate\n\n- [ ] `done`\n";
const two = {
  "workflows/w/metadata.json": { title: "W", total_phases: 2 },
  "workflows/w/phases/1/phase.md": `# Phase 1: Look${gate}`,
  "workflows/w/phases/2/phase.md": `# Phase 2: Act${gate}`,
};

async function read(
  files: Files,
  type = "w",
  options: JsonObject = {},
): Promise<PhasedWorkflowReading<PhasedWorkflow>> {
  const definitions = writeDefinitions(files);
  return phasedFiles({ definitions, projectArea: dirname(definitions) }).read(type, options);
}

function sound(reading: PhasedWorkflowReading<PhasedWorkflow>): PhasedWorkflow {
  if (!("workflow" in reading)) throw new Error(JSON.stringify(reading));
  return reading.workflow;
}

test("a folder is read with its phases, tasks and texts; phases count from 0 or 1", async () => {
  const workflow = sound(
    await read({
      ...two,
      "workflows/w/metadata.json": { name: "The W", description: "For trying.", total_phases: 3, dynamic: false },
      "workflows/w/phases/0-start/phase.md": `Begin.${gate}`,
      "workflows/w/phases/0-start/task-0.md": "# Task 0: Wait\n\nWait.\n",
      "workflows/w/phases/0-start/task-2-go_on.md": "Go on.\n",
      "workflows/w/phases/0-start/1.1-look.md": "# Look\n",
      "workflows/w/phases/0-start/background.md": "For the curious.\n",
    }),
  );
  expect(workflow).toMatchObject({ type: "w", title: "The W", description: "For trying." });
  expect(workflow.phases.map(({ number, name }) => [number, name])).toEqual([
    [0, "start"],
    [1, "Look"],
    [2, "Act"],
  ]);
  expect(workflow.phases[0]?.tasks).toEqual([
    { number: 0, name: "Wait", content: "# Task 0: Wait\n\nWait.\n", source: "workflows/w/phases/0-start/task-0.md" },
    { number: 1, name: "Look", content: "# Look\n", source: "workflows/w/phases/0-start/1.1-look.md" },
    { number: 2, name: "go on", content: "Go on.\n", source: "workflows/w/phases/0-start/task-2-go_on.md" },
  ]);
  expect(workflow.phases[0]).toMatchObject({
    content: `Begin.${gate}`,
    sources: ["workflows/w/phases/0-start/phase.md"],
  });
});

test("the text before the first phase is shown with it, without what names a later phase", async () => {
  const text = `# All\n\nWhat for.\n\n## Overview\n\n### Phase 1: Look\n\nlooks\n\n### Phase 2: Act\n\nacts\n\n## Phase 1: Look\n\nLOOK${gate}\n## Phase 2: Act\n\nACT\n\n### Task 1: One\n\nOne.\n\n### Validation Gate\n\nApproval: required\n\n## Appendix\n\nAPPENDIX\n`;
  const { phases, description } = sound(await read({ "workflows/all.md": text }, "all"));
  expect(description).toBe("What for.");
  expect(phases.map(({ content }) => content)).toEqual([
    `# All\n\nWhat for.\n\n## Overview\n\n## Phase 1: Look\n\nLOOK${gate.trimEnd()}`,
    "## Phase 2: Act\n\nACT\n\n### Task 1: One\n\nOne.\n\n### Validation Gate\n\nApproval: required\n\n## Appendix\n\nAPPENDIX",
  ]);
  expect(phases[1]?.tasks.map(({ number, name, content }) => [number, name, content])).toEqual([
    [1, "One", "### Task 1: One\n\nOne."],
  ]);
});

test("a description does not reveal the content of a phase", async () => {
  const files = { ...two, "workflows/w/phases/2/phase.md": `# Phase 2: Act on it${gate}` };
  const { description } = sound(
    await read({ ...files, "workflows/w/metadata.json": { description: "Good. At last act on it!" } }),
  );
  expect(description).toBe("Good.");
});

const secret = "SENTINEL";
const broken: readonly (readonly [string, Files, string])[] = [
  ["an empty phase", { "workflows/w/phases/2/phase.md": " \n" }, "phases/2/phase.md"],
  [
    "a broken gate",
    { "workflows/w/phases/2/gate-definition.yaml": `evidence_schema:\n  ${secret}: { type: ${secret} }\n` },
    "phases/2/gate-definition.yaml",
  ],
  ["a misspelt gate", { "workflows/w/phases/2/gate_definition.yaml": "approval: required\n" }, "phases/2"],
  [
    "a broken gate block",
    {
      "workflows/w/phases/2/phase.md": `# Act\n\n\`\`\`yaml gate\nevidence_schema:\n  ${secret}: { type: ${secret} }\n\`\`\`\n`,
    },
    "phases/2/phase.md",
  ],
  ["malformed metadata", { "workflows/w/metadata.json": `{ "title": "${secret}" ` }, "metadata.json"],
  ["metadata that is a list", { "workflows/w/metadata.json": [secret] }, "metadata.json"],
  ["a promise of more phases", { "workflows/w/metadata.json": { total_phases: 3 } }, "metadata.json"],
  [
    "a list of more phases",
    { "workflows/w/metadata.json": { phases: [1, 2, 3].map((number) => ({ number, name: secret })) } },
    "metadata.json",
  ],
  ["a gap", { [`workflows/w/phases/4-${secret}/phase.md`]: `# x${gate}` }, "phases"],
  ["one number twice", { [`workflows/w/phases/02-${secret}/phase.md`]: `# x${gate}` }, "phases"],
  ["a phase without a number", { [`workflows/w/phases/${secret}/phase.md`]: `# x${gate}` }, "phases"],
  ["a phase without phase.md", { [`workflows/w/phases/3-${secret}/notes.md`]: "x" }, "phases"],
  [
    "two tasks with one number",
    { [`workflows/w/phases/2/task-1-${secret}.md`]: "x", "workflows/w/phases/2/task-1.md": "x" },
    "phases/2",
  ],
  ["an unreadable task", { [`workflows/w/phases/2/task-1-${secret}.md`]: "" }, "phases/2"],
  ["a file of the same name", { "workflows/w.md": `## Phase 1: ${secret}${gate}` }, ""],
];

test.each(broken)("%s closes the workflow, and the message tells nothing of a phase", async (_, files, file) => {
  const reading = await read({ ...two, ...files });
  expect(reading).toMatchObject({
    problem: { file: [".waymark/workflows/w", file].filter((part) => part !== "").join("/") },
  });
  expect(JSON.stringify(reading)).not.toMatch(/SENTINEL|Look|Act|done/);
  expect(JSON.stringify(reading)).toContain("waymark check");
});

test.each([
  ["no phase heading", "# Nothing\n", [1]],
  ["a late first number", `## Phase 2: B${gate}`, [1]],
  ["a gap", `## Phase 1: A${gate}\n## Phase 3: C${gate}`, [1, 2]],
  ["a number twice", `## Phase 1: A${gate}\n## Phase 1: B${gate}`, [1, 2]],
  ["a wrong order", `## Phase 2: B${gate}\n## Phase 1: A${gate}`, [1, 2]],
] as const)("a page with %s starts, its phases numbered by their place", async (_, text, numbers) => {
  expect(sound(await read({ "workflows/all.md": text }, "all")).phases.map(({ number }) => number)).toEqual(numbers);
});

test("a phase that asks for nothing asks for a summary", async () => {
  const { phases } = sound(await read({ ...two, "workflows/w/phases/2/phase.md": "# Phase 2: Act\n\nAct.\n" }));
  expect(phases[1]?.gate.requirements).toMatchObject([
    { field: "summary", type: "any", required: true, checked: false },
  ]);
});

test("a workflow that is not there is unknown, whatever its name asks for", async () => {
  for (const type of ["x", "", "..", "../w", "w/phases", "/etc", "__proto__", "W"])
    expect(await read(two, type)).toEqual({ unknown: true });
});

test("a gate file is the whole gate, but for an approval that the Markdown demands", async () => {
  const { phases } = sound(
    await read({
      ...two,
      "workflows/w/phases/2/phase.md": `# Act${gate}\n**Human Approval**: REQUIRED\n\nExample evidence:\n\n\`\`\`json\n{ "n": 3, "done": true }\n\`\`\`\n`,
      "workflows/w/phases/2/gate-definition.yaml": "evidence_schema:\n  n: { type: integer }\n",
    }),
  );
  expect(phases[1]?.gate).toMatchObject({ approval: true, examples: { n: 3 } });
  expect(phases[1]?.gate.requirements.map(({ field }) => field)).toEqual(["n"]);
});

test("the hash changes with what a definition says, and with nothing else", async () => {
  const hash = sound(await read(two)).hash;
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(sound(await read({ ...two, "workflows/w/README.md": "x", "workflows/other.md": "x" })).hash).toBe(hash);
  expect(sound(await read({ ...two, "workflows/w/phases/2/phase.md": `# Phase 2: Act${gate} ` })).hash).not.toBe(hash);
});

test("new and changed definitions count at the next call", async () => {
  const definitions = writeDefinitions(two);
  const live = phasedFiles({ definitions, projectArea: dirname(definitions) });
  const before = sound(await live.read("w", {})).hash;
  expect(await live.read("v", {})).toEqual({ unknown: true });
  addDefinitions(definitions, { "workflows/v.md": `## Phase 1: A${gate}`, "workflows/w/phases/2/task-1.md": "x" });
  expect(sound(await live.read("v", {})).phases).toHaveLength(1);
  expect(sound(await live.read("w", {})).hash).not.toBe(before);
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(definitions, "workflows/v.md"), old, old);
  expect(await live.read("v", {})).toEqual(await live.read("v", {}));
});

const tasks =
  "## Phase 1: A\n\n- [ ] 1.1 Do it\n\n## Phase 2: B\n\n### Task 2.1: Do that\n\n**Acceptance Criteria:**\n- [ ] it runs\n";
const dynamic = { "workflows/w/metadata.json": { dynamic: true } };

test("a dynamic workflow has as many phases as the task list that the options name", async () => {
  for (const options of [
    { tasks: "docs/tasks.md" },
    { tasks_file: "docs/tasks.md" },
    { tasks_path: "./docs/tasks.md" },
    { spec_path: "docs" },
  ]) {
    const { phases } = sound(await read({ ...dynamic, "../docs/tasks.md": tasks }, "w", options));
    expect(phases.map(({ number, name, tasks }) => [number, name, tasks.length])).toEqual([
      [1, "A", 1],
      [2, "B", 1],
    ]);
    expect(phases.map(({ gate }) => gate.requirements.map(({ field }) => field))).toEqual([["1_1_do_it"], ["it_runs"]]);
  }
});

test("fixed phases may come before those of the list if the numbers continue", async () => {
  const fixed = { ...dynamic, "workflows/w/phases/0/phase.md": `# Plan${gate}`, "../tasks.md": tasks };
  expect(sound(await read(fixed, "w", { tasks: "tasks.md" })).phases.map(({ number }) => number)).toEqual([0, 1, 2]);
  const clash = { ...dynamic, "workflows/w/phases/1/phase.md": `# Plan${gate}`, "../tasks.md": tasks };
  expect(await read(clash, "w", { tasks: "tasks.md" })).toHaveProperty("problem");
});

test("a broken task list is named by its own path, with the command that shows the problems and none of its content", async () => {
  const broken = { ...dynamic, "../docs/tasks.md": "## Phase 1: Storage\n\n```yaml gate\nbroken: true\n```\n" };
  const reading = await read(broken, "w", { tasks: "docs/tasks.md" });
  expect(reading).toMatchObject({
    problem: {
      file: "docs/tasks.md",
      fix: expect.stringMatching(/docs\/tasks\.md; waymark check --explain w with the same --options/),
    },
  });
  expect(JSON.stringify(reading)).not.toMatch(/Storage|workflows\/w/);
});

test("a task list outside the project area, in .git or the definitions, missing or none at all is refused", async () => {
  const definitions = writeDefinitions({
    ...dynamic,
    "../docs/tasks.md": tasks,
    "../.git/tasks.md": tasks,
    "../.kiro/specs/shop/tasks.md": tasks,
    "../.kiro/.env/tasks.md": tasks,
    "../docs/tasks.txt": tasks,
    "../docs/empty.md": "# Nothing\n",
  });
  const area = join(dirname(definitions), "docs");
  const live = phasedFiles({ definitions, projectArea: dirname(definitions) });
  mkdirSync(join(area, "folder"));
  symlinkSync("/etc/hostname", join(area, "link.md"));
  symlinkSync(join(dirname(definitions), ".git/tasks.md"), join(area, "hidden.md"));
  writeFileSync(join(area, "deep.md"), "- ".repeat(5000).concat("x"));
  const hasPipes = process.platform !== "win32"; // whoever opens one waits for a writer
  if (hasPipes) execFileSync("mkfifo", [join(area, "pipe.md")]);
  const wrong = [
    undefined,
    null,
    5,
    "",
    "docs/none.md",
    "../x/tasks.md",
    "docs/../docs/tasks.md",
    "/etc/hostname",
    ".git/tasks.md",
    ".GIT/tasks.md",
    ".kiro/.env/tasks.md",
    ".waymark/workflows/w/metadata.json",
    "docs/link.md",
    "docs/hidden.md",
    "docs/tasks.txt",
    "docs/empty.md",
    "docs/folder",
    "docs/deep.md",
    "docs/ta\0sks.md",
    ...(hasPipes ? ["docs/pipe.md"] : []),
  ];
  for (const tasks of wrong) {
    expect(await live.read("w", tasks === undefined ? {} : { tasks }), String(tasks)).toHaveProperty("invalidOptions");
  }
  for (const list of [".kiro/specs/shop/tasks.md", ".kiro/specs/shop"])
    expect(await live.read("w", { tasks: list }), list).toHaveProperty("workflow");
  const area2 = phasedFiles({ definitions, projectArea: area });
  expect(await area2.read("w", { tasks: join(area, "tasks.md") })).toHaveProperty("workflow");
  expect(await area2.read("w", { tasks: join(definitions, "workflows/w/metadata.json") })).toHaveProperty(
    "invalidOptions",
  );
});
