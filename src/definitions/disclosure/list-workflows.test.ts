import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { phasedFiles } from "../phases/phased-files.testing.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { listWorkflows } from "./list-workflows.ts";

type Files = { readonly [path: string]: unknown };

function definitionsWith(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-list-"));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, "workflows", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const phases = (folder: string, more: Files = {}): Files => ({
  [`${folder}/phases/1/phase.md`]: "# Phase 1: Reading\n\n- Must provide `n`: number\n",
  [`${folder}/phases/2/phase.md`]: "# Phase 2\n\n- Must provide `mutants_killed`: number\n",
  ...more,
});

it.each([
  ["the name that metadata.json lists", { phases: [{ phase_number: 2, phase_name: "Mutant Hunt" }] }, {}],
  ["a task's heading", {}, { "w/phases/2/task-1-x.md": "# Task 1: Mutant Hunt\n\nx" }],
  ["a task file's name", {}, { "w/phases/2/task-1-mutant-hunt.md": "x" }],
  ["a task within the phase", {}, { "w/phases/2/phase.md": "# Phase 2\n\n### Task 2.1: Mutant hunt\n" }],
  ["a phase's folder", {}, { "w/phases/3-mutant_hunt/phase.md": "# Phase 3\n" }],
])("a description is listed without the sentence that gives away %s", (_, metadata, more) => {
  const description = "Reads code. Ends with the mutant hunt. Says so.";
  const folder = definitionsWith(phases("w", { "w/metadata.json": { ...metadata, description }, ...more }));
  expect(listWorkflows(filesOf(folder))).toEqual([{ type: "w", title: "w", description: "Reads code. Says so." }]);
});

it("a word with an underscore from any file of a phase is not listed", () => {
  const description = "Counts mutants_killed. Wants Gate_Field. Works on my_own_thing.";
  const gate = { "w/phases/2/gate-definition.yaml": "evidence_schema:\n  gate_field: {type: integer}\n" };
  const folder = definitionsWith(phases("w", { "w/metadata.json": { description }, ...gate }));
  expect(listWorkflows(filesOf(folder))[0]?.description).toBe("Works on my_own_thing.");
});

it("a workflow may be described by its own name, though its phases speak of it", () => {
  const folder = definitionsWith({
    "make_tests/metadata.json": { description: "Use make_tests for tests." },
    "make_tests/phases/1/phase.md": "# Phase 1: Go\n\nmake_tests begins.\n",
  });
  expect(listWorkflows(filesOf(folder))[0]?.description).toBe("Use make_tests for tests.");
});

it("the front matter of a one-file workflow names nothing of its phases", () => {
  const folder = definitionsWith({
    "f.md":
      "---\ntitle: Mutant Hunt first\ndescription: Reads code_files. Ends with a mutant hunt. Wants mutants_killed.\n---\n# F\n\nuses code_files\n\n## Phase 1: Reading\n\nx\n\n## Phase 2: Mutant Hunt\n\n- `mutants_killed`\n",
  });
  expect(listWorkflows(filesOf(folder))).toEqual([{ type: "f", title: "f", description: "Reads code_files." }]);
});

it("a workflow is listed by its config's name, and its folder's means it too", async () => {
  const folder = definitionsWith(phases("folder-name", { "folder-name/metadata.json": { name: "config_name" } }));
  expect(listWorkflows(filesOf(folder))).toEqual([
    { type: "config_name", title: "config_name", description: "", aliases: ["folder-name"] },
  ]);
  const { read } = phasedFiles({ definitions: folder, projectArea: folder });
  expect(await read("config_name", {})).toMatchObject({ workflow: { type: "config_name" } });
  expect(await read("folder-name", {})).toMatchObject({ workflow: { type: "folder-name" } });
});

it("a config's name that cannot be a type, or is another's too, leaves the folder's name", async () => {
  const folder = definitionsWith({
    ...phases("a", { "a/metadata.json": { name: "b" } }),
    ...phases("b"),
    ...phases("c", { "c/metadata.json": { name: "same" } }),
    ...phases("d", { "d/metadata.json": { name: "same" } }),
    ...phases("e", { "e/metadata.json": { name: "Two words" } }),
  });
  expect(listWorkflows(filesOf(folder)).map(({ type, aliases }) => [type, aliases])).toEqual(
    ["a", "b", "c", "d", "e"].map((type) => [type, undefined]),
  );
  expect(await phasedFiles({ definitions: folder, projectArea: folder }).read("same", {})).toHaveProperty("problem");
});

it("a folder that holds no workflow is not listed", () => {
  expect(listWorkflows(filesOf(definitionsWith({ "notes/readme.txt": "x" })))).toEqual([]);
});

it.each([
  ["steps", "# Drill\n\n## Step 1: Read\n\n- [ ] Read\n\n## Step 2: Mutant Hunt\n\n- [ ] Hunted\n"],
  ["numbers", "# Drill\n\n## 1. Read\n\n- [ ] Read\n\n## 2. Mutant Hunt\n\n- [ ] Hunted\n"],
  ["no phases", "# Drill\n\n## Before you start\n\n- [ ] Read\n"],
])("a page with %s is listed like any other, and its title tells nothing of a later phase", (_, page) => {
  const titled = `---\ntitle: A drill\ndescription: Reads. Ends with a mutant hunt.\n---\n${page}`;
  const [listed] = listWorkflows(filesOf(definitionsWith({ "drill.md": titled })));
  expect(listed).toMatchObject({ type: "drill", title: "A drill" });
  expect(listed?.description).toBe(page.includes("Mutant") ? "Reads." : "Reads. Ends with a mutant hunt.");
});
