import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

/** Turns the direction of writing, begins a terminal's control sequence in one character, ends a line, is not seen. */
const marks = "\u202etxt\u2066 \u009b31m \u001b[2J \u2028 \u0085 \u200b \u{e0041}";
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

// Attack (tools): Hide direction marks or control characters in outputs, names, files or standards
test("an assistant hands in direction marks and control characters: no command prints them, and its data is the same", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot", { inputs: { [marks]: marks } });
  await window.call("complete_action", { outputs: { [marks]: marks }, confirmation: `yes ${marks}` });
  await window.close();
  for (const args of [["log"], ["verify", "--require", "shape"], ["status"], ["verify", "--require", marks]])
    for (const more of [[], ["--json"]]) {
      const { stdout, stderr } = await runCli([...args, ...more, "--root", project.root]);
      expect(unseen.exec(stdout + stderr)?.[0].codePointAt(0)).toBeUndefined();
    }
  const { stdout } = await runCli(["log", "--json", "--root", project.root]);
  expect(JSON.parse(stdout)[0].inputs).toEqual({ [marks]: marks });
  await runCli(["export", "--out", project.path("audit"), "--root", project.root]);
  for (const file of ["audit.json", "audit.md"])
    expect(readFileSync(project.path(`audit/${file}`), "utf8")).not.toMatch(unseen);
});

test.each([
  ["check", "--explain", marks],
  ["generate", marks],
  ["back", marks],
])("a name with such marks is given to a command (%s): its fault is said without them", async (...args) => {
  const { code, stderr } = await runCli([...args, "--root", makeProject().root]);
  expect([code, unseen.test(stderr)]).toEqual([1, false]);
});

test("a standard holds control sequences: waymark search prints its text without them", async () => {
  const project = makeProject();
  project.write(
    `.waymark/standards/names.md`,
    `# Names ${marks}\n\nName a file after its thing. ${marks}\n\tKeep it short.\n`,
  );
  const { stdout, stderr } = await runCli(["search", "name", "a", "file", "--root", project.root]);
  expect(stdout).toContain("Name a file after its thing.");
  expect(unseen.exec((stdout + stderr).replaceAll("\t", ""))?.[0].codePointAt(0)).toBeUndefined();
});
