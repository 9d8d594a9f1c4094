import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { plantCase } from "./broken-bot.ts";
import type { Files } from "./sound-bot.ts";

async function run(files: Files, ...args: readonly string[]) {
  const root = dirname(plantCase({ files }));
  return { root, ...(await runCli(["check", "--root", root, ...args])) };
}

const broken = {
  "config.json": '{ "colour": "red" }\n',
  "base_actions/gather/action_config.json": { name: "gather", workflow: true, order: 1, next_action: "biuld" },
  "base_actions/build/instructions.md": "Build it.\n\n",
};

test("a sound bot passes, and check says what it looked at", async () => {
  expect(await run({})).toMatchObject({
    code: 0,
    stdout: "No problems found: 1 bot, 2 behaviors, 4 actions, 1 rule checked.\n",
    stderr: "",
  });
});

test("standards are counted where there are any", async () => {
  const standards = { "standards/a.md": "# A\n\nText.\n", "standards/b/c.md": "# B\n\nText.\n" };
  expect((await run(standards)).stdout).toBe(
    "No problems found: 1 bot, 2 behaviors, 4 actions, 1 rule, 2 standards checked.\n",
  );
  const broken = await run({ ...standards, "standards/c.md": "---\nphase: soon\n---\n# C\n\nText.\n" });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain(".waymark/standards/c.md:2  error  standard-closed  its front matter restricts");
});

test("errors are printed first, each finding with what to do, and an error makes the command fail", async () => {
  const { code, stdout } = await run(broken);
  expect(code).toBe(1);
  expect(
    stdout,
  ).toBe(`.waymark/base_actions/gather/action_config.json:5  error  dangling-next-action  next_action "biuld" of gather does not exist; did you mean "build"?
  Name an existing action, or use null.
.waymark/config.json:1  warning  unknown-key  the key "colour" is unknown and ignored
  Use one of behaviors, external_edits, strict, history, search, standards, checks, approvals, or delete it.
.waymark/base_actions/build/instructions.md:2  info  trailing-blank-lines  the file ends with blank lines
  Delete the blank lines at the end. (waymark check --fix does this)

1 error, 1 warning, 1 info in 1 bot, 2 behaviors, 4 actions, 1 rule.
`);
});

test("many findings with one cause are one with a count, and the one error is not buried", async () => {
  const untidy = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `bots/story_bot/behaviors/shape/rules/rule_${n}.md`,
      `# Rule ${n}\n\nDo it.\n\n`,
    ]),
  );
  const { stdout } = await run({ ...untidy, "base_actions/build/action_config.json": "{" });
  const lines = stdout.split("\n");
  expect(lines[0]).toContain("error  malformed-json");
  expect(lines.length).toBeLessThan(20);
  expect(stdout).toContain("and 39 more like it: .waymark/bots/story_bot/behaviors/shape/rules/rule_1.md:");
  const { findings } = JSON.parse((await run(untidy, "--json")).stdout);
  expect(findings.map(({ code, count }: { code: string; count: number }) => [code, count])).toEqual([
    ["rule-without-examples", 40],
    ["trailing-blank-lines", 40],
  ]);
  expect(findings[0].more).toHaveLength(39);
});

test("a workflow whose gates are read from prose gets one line with the command that shows its lines", async () => {
  const phase = "## Phase 1: Ask\n\nAsk.\n\n### Validation Gate\n\n- [ ] `people_asked`: everybody was asked\n";
  const { stdout } = await run({ "workflows/survey.md": `# Survey\n\n${phase}` });
  expect(stdout).toContain("survey: 0 enforced, 1 asked, 0 not read in prose. waymark check FILE shows each line.");
});

test("a warning alone does not make the command fail", async () => {
  expect((await run({ "config.json": { colour: "red" } })).code).toBe(0);
});

test("the compact form is one line for each finding and nothing else", async () => {
  const { code, stdout } = await run(broken, "--compact");
  expect(code).toBe(1);
  expect(stdout.split("\n")).toEqual([
    ".waymark/base_actions/build/instructions.md:2:1: info: the file ends with blank lines [trailing-blank-lines]",
    '.waymark/base_actions/gather/action_config.json:5:1: error: next_action "biuld" of gather does not exist; did you mean "build"? [dangling-next-action]',
    '.waymark/config.json:1:1: warning: the key "colour" is unknown and ignored [unknown-key]',
    "",
  ]);
  expect(await run({}, "--compact")).toMatchObject({ code: 0, stdout: "" });
});

test("the findings are there as data, with counts and sequences", async () => {
  const { code, stdout } = await run(broken, "--json");
  expect(code).toBe(1);
  const data = JSON.parse(stdout);
  expect(data).toMatchObject({
    counts: { error: 1, warning: 1, info: 1 },
    checked: { bots: 1, behaviors: 2, actions: 4, rules: 1 },
    mended: [],
  });
  expect(data.findings[0]).toEqual({
    code: "dangling-next-action",
    severity: "error",
    file: ".waymark/base_actions/gather/action_config.json",
    line: 5,
    message: 'next_action "biuld" of gather does not exist; did you mean "build"?',
    fix: "Name an existing action, or use null.",
    fixable: false,
    count: 1,
    more: [],
  });
  expect(data.behaviors[1]).toMatchObject({ bot: "story_bot", behavior: "discovery", anyTime: ["correct"] });
});

test("fix says what it mended, leaves the rest, and has nothing to do the second time", async () => {
  const { root, code, stdout } = await run(broken, "--fix");
  expect(code).toBe(1);
  expect(stdout).toContain("fixed .waymark/base_actions/build/instructions.md: trailing-blank-lines\n");
  expect(stdout).toContain("1 error, 1 warning, 0 info in");
  expect(readFileSync(join(root, ".waymark/base_actions/build/instructions.md"), "utf8")).toBe("Build it.\n");
  const again = await runCli(["check", "--root", root, "--fix"]);
  expect(again.stdout).not.toContain("mended");
});

test("a drawing is printed alone; what is wrong is said beside it", async () => {
  const drawn = await run({}, "--draw");
  expect(drawn).toMatchObject({ code: 0, stderr: "" });
  expect(drawn.stdout).toContain("  shape: gather → build (auto) → judge [gate]\n");
  expect((await run({}, "--draw", "mermaid")).stdout).toMatch(/^flowchart LR\n {2}subgraph /);
  expect(await run(broken, "--draw", "text")).toMatchObject({
    code: 1,
    stderr: "waymark: 1 error. Run waymark check to see them.\n",
  });
  expect(await run({}, "--draw", "png")).toMatchObject({
    code: 1,
    stderr: "waymark: --draw png is unknown. Use --draw text or --draw mermaid.\n",
  });
});

test("definitions elsewhere are checked, and where there are none check says so", async () => {
  const definitions = plantCase({ files: {} });
  expect(await runCli(["check", "--definitions", definitions])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No problems found: 1 bot"),
    stderr: "",
  });
  const empty = mkdtempSync(join(tmpdir(), "waymark-check-"));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const { code, stderr } = await runCli(["check", "--root", empty]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Nothing to check: ${join(empty, ".waymark")} does not exist.`);
});

test("check touches nothing without --fix", async () => {
  const root = dirname(plantCase({ files: broken }));
  const before = filesIn(root);
  for (const form of ["--json", "--compact", "--draw"]) {
    await runCli(["check", "--root", root, form]);
  }
  expect(filesIn(root)).toEqual(before);
});

test("the content of a file cannot move the cursor of a terminal", async () => {
  const { stdout } = await run({ "config.json": { "\u001b[2Jcolour\u0007": 1 } });
  expect(stdout).toContain('the key " [2Jcolour " is unknown');
});

function filesIn(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
}
