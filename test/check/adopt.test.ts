import { existsSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { reply, sitDown } from "../people.ts";
import { callPhase } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const page = `# Release

## 1. Prepare

### Evidence

- \`version\`: text
- \`tests_passed\`: integer, at least 10
- Release notes that a customer understands

## 2. Publish

The product owner approves the release.
`;

test.skipIf(overHttp("a terminal of its own has no store named"))(
  "a drafted page is shown line by line and brought in on a person's yes",
  async () => {
    const project = makeProject();
    project.write("drafts/Release checklist.md", page);
    const person = sitDown();
    const no = person.runs(project, ["adopt", "drafts/Release checklist.md"]);
    await no.sees("tests_passed: integer, at least 10");
    await no.sees("a person must approve");
    await reply(no, "Bring this into the project? [y/N]", "");
    await no.ends();
    expect(existsSync(project.path(".waymark/workflows/release-checklist.md"))).toBe(false);
    const yes = person.runs(project, ["adopt", "drafts/Release checklist.md"]);
    await reply(yes, "Bring this into the project? [y/N]", "y");
    await yes.ends();
    const window = await openWindow(project.root);
    const started = await callPhase(window, "start_workflow", { workflow_type: "release-checklist", target_file: "x" });
    expect(started).toMatchObject({ current_phase: 1, total_phases: 2 });
    await window.close();
  },
);

test("without a terminal nothing is adopted, unless a person's script says yes", async () => {
  const project = makeProject();
  project.write("drafts/release.md", page);
  const asked = ["adopt", project.path("drafts/release.md"), "--root", project.root];
  const { code, stderr } = await runCli(asked);
  expect([code, stderr]).toEqual([1, expect.stringContaining("a person's decision")]);
  const adopted = await runCli([...asked, "--yes", "--json"]);
  expect(JSON.parse(adopted.stdout)).toMatchObject({ adopted: true, files: ["workflows/release.md"] });
  expect(project.read(".waymark/workflows/release.md")).toBe(page);
});

test("what exists is replaced only on request, and then whole", async () => {
  const project = makeProject();
  project.write("drafts/review/metadata.json", { name: "review" });
  project.write("drafts/review/phases/1/phase.md", "# Look\n\n### Evidence\n\n- `files`: list\n");
  const asked = ["adopt", project.path("drafts/review"), "--root", project.root, "--yes"];
  expect((await runCli(asked)).code).toBe(0);
  project.write(".waymark/workflows/review/phases/2/phase.md", "# An older phase\n");
  expect(await runCli(asked)).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
  expect((await runCli([...asked, "--replace"])).code).toBe(0);
  expect(existsSync(project.path(".waymark/workflows/review/phases/2/phase.md"))).toBe(false);
  expect(existsSync(project.path(".waymark/workflows/review/phases/1/phase.md"))).toBe(true);
  project.write("drafts/review.md", page);
  const other = await runCli(["adopt", project.path("drafts/review.md"), "--root", project.root, "--yes"]);
  expect(other.stderr).toContain("workflows/review already exists");
});

test("a draft that cannot be used is named and not brought in", async () => {
  const project = makeProject();
  project.write("drafts/bad/metadata.json", { name: "bad" });
  project.write("drafts/bad/phases/1/phase.md", "# Look\n");
  project.write("drafts/bad/phases/1/gate-definition.yaml", "evidence_schema: [");
  const bad = await runCli(["adopt", project.path("drafts/bad"), "--root", project.root, "--yes"]);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain("Nothing was adopted");
  expect(existsSync(project.path(".waymark/workflows/bad"))).toBe(false);
  project.write("drafts/linked/phases/1/other.md", "x");
  symlinkSync("/etc/hostname", project.path("drafts/linked/phases/1/phase.md"));
  const linked = await runCli(["adopt", project.path("drafts/linked"), "--root", project.root, "--yes"]);
  expect(linked.stderr).toContain("is a link");
  project.write("drafts/binary.md", "# A\0B");
  const binary = await runCli(["adopt", project.path("drafts/binary.md"), "--root", project.root, "--yes"]);
  expect(binary.stderr).toContain("is not a text file");
  for (const nothing of ["drafts/none.md", "drafts"])
    expect((await runCli(["adopt", project.path(nothing), "--root", project.root, "--yes"])).code).toBe(1);
});

test("gate files are shown with what they ask, and what is left out of a folder is named", async () => {
  const project = makeProject();
  project.write("drafts/all/workflows/review/phases/1/phase.md", "# Look\n");
  project.write(
    "drafts/all/workflows/review/phases/1/gate-definition.yaml",
    "evidence_schema:\n  files_read:\n    type: integer\n    required: true\n    description: how many\n",
  );
  project.write("drafts/all/approvers.json", "{}");
  const asked = ["adopt", project.path("drafts/all"), "--root", project.root, "--yes"];
  const { code, stdout } = await runCli(asked);
  expect(code).toBe(0);
  expect(stdout).toMatch(/files_read +integer +required/);
  expect(stdout).toContain("Not brought in: approvers.json.");
  expect(existsSync(project.path(".waymark/approvers.json"))).toBe(false);
});

test("a page without phase headings is adopted with a warning that it is one phase", async () => {
  const project = makeProject();
  project.write(
    "drill.md",
    "# Restore drill\n\n## Before you start\n\n- [ ] Told the team\n\n## Restore\n\n- [ ] Restored\n",
  );
  const { stdout } = await runCli(["adopt", "drill.md", "--yes"], project.root);
  expect(stdout).toContain("the page has no phase headings, so it is one phase");
  expect(stdout).toContain("told_the_team: true");
  expect(stdout).toContain("waymark start drill");
  expect(stdout).not.toContain("too early");
});
