import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase, overHttp } from "../doors.ts";
import { emptyProject } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const commands = [["status"], ["verify"], ["log"], ["show"], ["trust", "--list"], ["dashboard", "--no-open"]];

test.skipIf(inDatabase("a history may be there, whatever stands here")).each(commands)(
  "where no project is set up, %s says so, and what to do",
  async (...command) => {
    const { root } = emptyProject();
    const { code, stdout, stderr } = await runCli([...command, "--root", root]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `waymark: There is no bot in ${root}/.waymark. Create one with waymark init.\n`,
    });
  },
);

test.skipIf(overHttp("a server's files stand elsewhere"))(
  "a history without its definitions is still shown, and verified",
  async () => {
    const project = makeProject();
    const area = emptyProject();
    const window = await openWindow(project.root, { args: ["--project-area", area.root] });
    await window.pass("story_bot");
    await window.close();
    rmSync(project.path(".waymark"), { recursive: true });
    const of = ["--root", project.root, "--project-area", area.root];
    expect(await runCli(["log", ...of])).toMatchObject({ code: 0, stdout: expect.stringContaining("gather_context") });
    expect(await runCli(["verify", ...of])).toMatchObject({ code: 0, stdout: expect.stringContaining("story_bot") });
  },
);

test("a slip at the command line is answered in a line or two, with where to read on", async () => {
  const typo = await runCli(["statsu"]);
  expect(typo).toMatchObject({ code: 1, stdout: "" });
  expect(typo.stderr.trimEnd().split("\n")).toEqual([
    "error: unknown command 'statsu'",
    "(Did you mean status?)",
    "Run waymark --help for usage.",
  ]);
  const { stderr } = await runCli(["verify", "--require"]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining("--require <workflow>"),
    "Run waymark verify --help for usage.",
  ]);
  expect((await runCli(["token", "add"])).stderr).toMatch(/\nRun waymark token add --help for usage\.\n$/);
});
