import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import type { Project } from "../project.ts";
import { honest, provingProject, runsIn, trustAll } from "../proving.ts";
import { openWindow, type Window } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";

async function opened(project: Project): Promise<Window> {
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  return window;
}

// Attack (file tools): Change files after they were proved, also behind a link
// -> Exposed by `status`, `get_workflow_state` and `show`: stale, with the files. `fresh` in a later gate asks for the proof again
test("with file tools: files changed after they were proved are shown as such", async () => {
  const project = provingProject({ passed: 3 });
  project.write("src/a.js", "one");
  const window = await opened(project);
  await window.call("complete_action", honest);
  expect((await runCli(["status", "--root", project.root])).stdout).not.toMatch(/stale/);
  project.write("src/a.js", "two");
  project.write("src/b.js", "new");
  const { stdout } = await runCli(["status", "--root", project.root]);
  expect(stdout).toMatch(/stale/);
  expect(stdout).toMatch(/src\/a\.js, src\/b\.js/);
});

test("with file tools: what a proof read and stands behind a link is held to what it was, too", async () => {
  const project = provingProject({ passed: 3 });
  const elsewhere = mkdtempSync(join(tmpdir(), "waymark-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  writeFileSync(join(elsewhere, "a.js"), "one");
  project.write("src/own.js", "");
  symlinkSync(join(elsewhere, "a.js"), project.path("src/a.js"));
  const window = await opened(project);
  await window.call("complete_action", honest);
  writeFileSync(join(elsewhere, "a.js"), "two");
  expect((await runCli(["status", "--root", project.root])).stdout).toMatch(/src\/a\.js/);
});

// Attack (tools): Submit a text that differs from the work tree, or one that is not there
// -> Refused where a command is run: it would look at something else. A file check looks at what is submitted
test("with the tools alone: what is handed in and differs from the file in the work tree fails the check", async () => {
  const project = provingProject({ passed: 3 });
  project.write("src/a.js", "good");
  const window = await opened(project);
  const differs = await window.call("complete_action", { ...honest, content: [{ path: "src/a.js", text: "bad" }] });
  expect(differs).toMatchObject({ error: "check_failed" });
  expect(differs.checks?.[0]?.summary).toMatch(/src\/a\.js in the project area differs from the submission/);
  expect(runsIn(project)).toBe(0);
  project.write("src/a.js", "bad");
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
});

test("with the tools alone: what is handed in and is not in the work tree at all fails the check", async () => {
  const project = provingProject({ passed: 3 });
  const window = await opened(project);
  const absent = await window.call("complete_action", {
    ...honest,
    content: [{ path: "src/new.js", text: "untested" }],
  });
  expect(absent.checks?.[0]?.summary).toMatch(/src\/new\.js in the project area differs from the submission/);
  expect(runsIn(project)).toBe(0);
});

test("with the tools alone: a good file in the work tree does not prove a bad one that is handed in for it", async () => {
  const gate = "checks:\n  - {name: plan, file: docs/plan.md, headings: [Risks]}\n";
  const project = provingProject({ passed: 3 }, gate);
  project.write("docs/plan.md", "# Risks\n");
  const window = await opened(project);
  const answer = await window.call("complete_action", {
    confirmation: "yes",
    content: [{ path: "docs/plan.md", text: "nothing" }],
  });
  expect(answer).toMatchObject({ error: "check_failed" });
  expect(answer.checks?.[0]?.summary).toBe('docs/plan.md: missing heading "Risks"');
});

// Attack (file tools): Edit a check's record in the history
// -> Exposed by `verify`: the first broken record
test("with file tools: an edited check record breaks the history, and verify names it", async () => {
  const project = provingProject({ passed: 3, failed: 1 });
  const window = await opened(project);
  await window.call("complete_action", honest);
  await window.close();
  const text = project.read(journal);
  expect(text).toContain('"status":"failed"');
  project.write(journal, text.replace('"status":"failed"', '"status":"passed"').replace('"failed":1', '"failed":0'));
  const { code, stdout } = await runCli(["verify", "--root", project.root]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/record \d/);
});

// Attack (file tools): Add a check's record of its own, with right hashes
// -> Refused: what this machine did not seal proves nothing, and the check is run
test("with file tools: a check record that is added with right hashes is not believed: the check is run", async () => {
  const project = provingProject({ passed: 3 });
  const window = await opened(project);
  await window.call("complete_action", honest);
  // What is on record of an honest run, copied for files on which the tests fail.
  const other = provingProject({ passed: 0, failed: 3 });
  const victim = await opened(other);
  expect(await victim.call("complete_action", honest)).toMatchObject({ error: "check_failed" });
  await victim.close();
  const lines = other.read(journal).trimEnd().split("\n");
  const mine = lines.findLast((line) => line.includes('"type":"checked"')) ?? "";
  const record = JSON.parse(mine);
  const last = lines.at(-1) ?? "";
  const forged = JSON.stringify({
    ...record,
    seq: lines.length + 1,
    prev: createHash("sha256").update(last).digest("hex"),
    op: "0".repeat(32),
    events: record.events
      .filter(({ type }: { type: string }) => type === "checked")
      .map((event: { result: object }) => ({
        ...event,
        result: { ...event.result, status: "passed", summary: "3 of 3 tests passed", facts: { tests: 3, passed: 3 } },
      })),
  });
  appendFileSync(other.path(journal), `${forged}\n`);
  const runs = runsIn(other);
  const again = await openWindow(other.root);
  await again.call("shape_bot");
  expect(await again.call("complete_action", honest)).toMatchObject({ error: "check_failed" });
  expect(runsIn(other)).toBe(runs + 1);
});

// Attack (file tools): Have a check change the files that it reads
// -> Refused, by name
test("with file tools: a check that changes what it reads fails, by name", async () => {
  const project = provingProject({ passed: 3, write: "src-a.js" });
  project.write("src-a.js", "good");
  const window = await opened(project);
  const answer = await window.call("complete_action", honest);
  expect(answer).toMatchObject({
    error: "check_failed",
    checks: [{ summary: "it changed files it reads: src-a.js" }],
  });
});

// Attack (file tools): Weaken the schema that a file check asks for
// -> It passes. Exposed by `verify --require --recheck`: on record as another check
test("with file tools: a schema that was changed makes another check of the one that asks for it", async () => {
  const gate = "checks:\n  - {name: plan, file: plan.json, schema: schemas/plan.json}\n";
  const project = provingProject({ passed: 3 }, gate);
  project.write(".waymark/schemas/plan.json", { required: ["owner"] });
  const window = await opened(project);
  expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ error: "check_failed" });
  project.write(".waymark/schemas/plan.json", {});
  expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
  const names = [...project.read(journal).matchAll(/"definition":"(\w+)","name":"plan"/g)].map(([, one]) => one);
  expect(new Set(names).size).toBe(2);
});

// Attack (shell): Replace a report while its check runs, also at once, as something that waits for it
// -> Refused where the check writes one too: a report may only grow. At once: on Linux, in a folder that was there before
test("with a shell kept inside the project: a report replaced while the check runs does not count", async () => {
  const project = provingProject({ passed: 1 });
  project.write(
    "run-tests.cjs",
    `const fs = require("node:fs");
    fs.mkdirSync("reports", { recursive: true });
    fs.writeFileSync("reports/junit.xml", '<testsuites><testcase name="x"><failure/></testcase></testsuites>');
    const until = setInterval(() => { if (fs.existsSync(".waymark/go")) { clearInterval(until); process.exit(0); } }, 20);`,
  );
  const window = await opened(project);
  const answer = window.call("complete_action", honest);
  const isThere = async (path: string): Promise<void> => {
    while (!existsSync(project.path(path))) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await isThere("reports/junit.xml");
  // Each is another file; the watch needs to see two of them.
  for (let round = 0; round < 30; round++) {
    project.write("forged.xml", `<testsuites>${'<testcase name="x"/>'.repeat(9 + round)}</testsuites>`);
    renameSync(project.path("forged.xml"), project.path("reports/junit.xml"));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  project.write(".waymark/go", "");
  const { error, checks } = await answer;
  expect([error, checks?.[0]?.summary]).toEqual([
    "check_failed",
    expect.stringContaining("was written more than once"),
  ]);
});

test("the names of failing tests are on record, and the reply shows them", async () => {
  const project = provingProject({ passed: 1, failed: 2 });
  const window = await opened(project);
  const { checks } = await window.call("complete_action", honest);
  expect(checks?.[0]?.summary).toBe("exited with 1, not 0; failed: f0, f1");
  expect(project.read(journal)).toContain('"failing":["f0","f1"]');
});
