import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeDefinitions } from "../bots/write-definitions.testing.ts";
import { phasedFiles } from "./phased-files.testing.ts";

const gate = "\n## Gate\n\n- [ ] `done`\n";
const files = {
  "workflows/w/metadata.json": {},
  "workflows/w/phases/1/phase.md": `# Phase 1: A${gate}`,
  "workflows/w/phases/1/task-1.md": "# Task 1: B\n",
  "workflows/w/phases/1/gate-definition.yaml": "approval: required\n",
  "workflows/f.md": `## Phase 1: A${gate}`,
  "../outside/phase.md": `# Phase 1: SECRET${gate}`,
  "../outside/gate.yaml": "approval: required\n",
  "standards/phase.md": `# Phase 1: A${gate}`,
};

test.each([
  ["workflows/w/phases/1/phase.md", "w", "outside/phase.md"],
  ["workflows/w/phases/1/task-1.md", "w", "outside/phase.md"],
  ["workflows/w/phases/1/gate-definition.yaml", "w", "outside/gate.yaml"],
  ["workflows/f.md", "f", "outside/phase.md"],
])("%s is not followed out of the definitions", async (path, type, target) => {
  const definitions = writeDefinitions(files);
  const root = dirname(definitions);
  rmSync(join(definitions, path));
  symlinkSync(join(root, target), join(definitions, path));
  const reading = await phasedFiles({ definitions, projectArea: root }).read(type, {});
  expect(reading).toHaveProperty("problem");
  expect(JSON.stringify(reading)).not.toContain("SECRET");
});

test("a link inside the definitions is followed", async () => {
  const definitions = writeDefinitions(files);
  rmSync(join(definitions, "workflows/w/phases/1/phase.md"));
  symlinkSync(join(definitions, "standards/phase.md"), join(definitions, "workflows/w/phases/1/phase.md"));
  expect(await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {})).toHaveProperty(
    "workflow",
  );
});
