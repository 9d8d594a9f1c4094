import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";

function explain(type: string, files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  return check(files, "--explain", type, ...options);
}

function check(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), "waymark-explain-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, ".waymark/workflows", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return runCli(["check", "--root", root, ...options]);
}

test("what closes a gate file is shown with its line, and the phase as closed", async () => {
  const { code, stdout } = await explain("w", {
    "w/metadata.json": "{}",
    "w/phases/1/phase.md": "# Phase 1: A\n",
    "w/phases/1/gate-definition.yaml": "evidence_schema:\n  n: { type: integer }\n  z: { type: wish }\n",
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/phases\/1\/gate-definition\.yaml:3 {2}(?!line)/);
  expect(stdout).toContain("Can't start until this is fixed");
});

test("everything that closes a gate file is shown, not the first alone", async () => {
  const { stdout } = await explain("w", {
    "w/metadata.json": "{}",
    "w/phases/1/phase.md": "# Phase 1: A\n",
    "w/phases/1/gate-definition.yaml":
      "evidence_schema:\n  n: { type: integer, min: 5, max: 3 }\ncross_field_validation:\n  - n > lots\n  - n ~ 3\n",
  });
  expect(stdout).toContain("gate-definition.yaml:2  no value of n can be at least 5 and at most 3");
  expect(stdout).toContain('gate-definition.yaml:4  the cross-field rule "n > lots"');
  expect(stdout).toContain('gate-definition.yaml:5  the cross-field rule "n ~ 3"');
});

test("a phase whose gate block is broken is shown as closed with its line, and the one beside it is not", async () => {
  const { code, stdout } = await explain("w", {
    "w.md": "## Phase 1: A\n\n```yaml gate\naproval: required\n```\n\n## Phase 2: B\n\n- [ ] Good\n",
  });
  expect(code).toBe(1);
  expect(stdout).toContain("w.md:4");
  const [, first = "", second = ""] = stdout.split(/^Phase \d/m);
  expect(first).toContain("Can't start until this is fixed");
  expect(second).not.toContain("Can't start until this is fixed");
});

test("a line that no rule matches is explained as asked, in its author's words", async () => {
  const { code, stdout } = await explain(
    "w",
    { "w.md": "## Phase 1: A\n\n- [ ] `share`: 100 % of them\n- [ ] `ok`: boolean\n" },
    "--json",
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).phases).toMatchObject([
    {
      evidence: [
        { field: "share", type: "any", checked: false, text: "`share`: 100 % of them" },
        { field: "ok", type: "boolean", checked: true },
      ],
    },
  ]);
});

test("an evidence table in a task's file is asked, and an approval there is shown with its file and line", async () => {
  const task =
    "# Task 1: Look\n\n| Evidence | Type | Validator | Description |\n| --- | --- | --- | --- |\n| `n` | integer | > 2 | how many |\n\n**Human Approval**: REQUIRED\n";
  const { stdout } = await explain(
    "w",
    {
      "w/metadata.json": "{}",
      "w/phases/1/phase.md": "# Phase 1: A\n\n- Must provide `a`: text\n",
      "w/phases/1/task-1-look.md": task,
    },
    "--json",
  );
  const file = ".waymark/workflows/w/phases/1/task-1-look.md";
  expect(JSON.parse(stdout).phases).toMatchObject([
    { approval: { file, line: 7 }, evidence: [{ field: "a" }, { field: "n", type: "integer", file, line: 5 }] },
  ]);
});

test("each entry below a lead-in is shown with its own line", async () => {
  const text = "## Phase 1: A\n\n- **Must provide:**\n  - `a`: text\n  - `b`: text\n";
  const { stdout } = await explain("w", { "w.md": text }, "--json");
  expect(JSON.parse(stdout).phases).toMatchObject([
    {
      evidence: [
        { field: "a", line: 4 },
        { field: "b", line: 5 },
      ],
    },
  ]);
});

test("a key of a gate in the front matter of a workflow, where nothing reads it, closes the workflow", async () => {
  const text = "---\ntitle: W\napproval: required\n---\n\n## Phase 1: A\n\n- Must provide `a`: text\n";
  const { code, stdout } = await explain("w", { "w.md": text });
  expect(code).toBe(1);
  expect(stdout).toMatch(/w\.md:3 {2}approval/);
});

test("a workflow that cannot start for want of a task list fails the command", async () => {
  const { code, stdout } = await explain("w", { "w/metadata.json": '{ "dynamic": true }' });
  expect(stdout).toContain(
    "Cannot start: the workflow takes its phases from a task list, but the options name none. Pass them with --options",
  );
  expect(code).toBe(1);
});

test("no row of a table with a Phase column is lost", async () => {
  const rows = ["2 | `late`", "9 | `nine`", "all | `each`", "1 and 2 | `both`", "Review | `named`", "| `below`"];
  const text = `| Phase | Evidence | Type |\n|---|---|---|\n${rows.map((row) => `| ${row} | text |\n`).join("")}
## Phase 1: A\n\nDo it.\n\n## Phase 2: Review\n\nDo it.\n`;
  const { stdout } = await explain("w", { "w.md": text }, "--json");
  const { phases } = JSON.parse(stdout);
  expect(phases.map((one: { evidence: { field: string }[] }) => one.evidence.map(({ field }) => field))).toEqual([
    ["nine", "each", "both"],
    ["late", "each", "both", "named", "below"],
  ]);
});

test("phases whose headings are written in several ways are phases if their numbers go on; otherwise the odd one is named", async () => {
  const page = (last: string) =>
    `## Phase 1: A\n\n- [ ] \`one\`\n\n## 2. B\n\n- [ ] \`two\`\n\n## ${last}\n\n- [ ] \`three\`\n`;
  const fields = async (last: string) => {
    const { stdout } = await explain("w", { "w.md": page(last) }, "--json");
    const { phases } = JSON.parse(stdout);
    return phases.map((one: { evidence: { field: string }[] }) => one.evidence.map(({ field }) => field));
  };
  expect(await fields("Step 3: C")).toEqual([["one"], ["two"], ["three"]]);
  expect(await fields("Step 5: C")).toEqual([["one", "two", "three"]]);
  const { stdout } = await check({ "w.md": page("Step 5: C") }, "--compact");
  expect(stdout).toMatch(/w\.md:5.*this heading starts no phase/);
  for (const odd of ["Part 3: C", "Stage 3 - C", "III. C", "Three: C"])
    expect((await check({ "w.md": page(odd) }, "--compact")).stdout, odd).toMatch(
      /w\.md:9.*this heading starts no phase/,
    );
  for (const own of ["Appendix 1: C", "3 things to keep", "2.1 C", "Notes"])
    expect((await check({ "w.md": page(own) }, "--compact")).stdout, own).not.toContain("starts no phase");
});
