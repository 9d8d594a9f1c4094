import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hosts } from "../../src/hosts/all-hosts.ts";
import type { Diagnosis } from "../../src/hosts/diagnosis.ts";
import { runCli } from "../command-line.ts";

test("a project that is set up whole has no problem and no warning", async () => {
  const { init, doctor, root } = project();
  await init("--client", "all");
  const { code, diagnoses } = await doctor();
  expect(code).toBe(0);
  expect(diagnoses.filter(({ status }) => status !== "ok")).toEqual([]);
  for (const { title } of hosts)
    expect(
      diagnoses.some(({ part, message }) => part === "host" && message.startsWith(`${title} starts`)),
      title,
    ).toBe(true);
  expect(new Set(diagnoses.map(({ part }) => part))).toEqual(
    new Set(["node", "package", "definitions", "host", "hooks", "trust", "git", "store"]),
  );
  expect(existsSync(join(root, ".waymark/journal"))).toBe(false);
});

test("it changes nothing in the project", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude");
  const before = filesOf(root);
  rmSync(join(root, "node_modules"), { recursive: true });
  await doctor();
  expect(filesOf(root)).toEqual(before.filter(([path]) => !path.startsWith("node_modules")));
});

test("without definitions it says so, exits 1 and names the command that makes them", async () => {
  const { doctor } = project();
  const { code, diagnoses } = await doctor();
  expect(code).toBe(1);
  expect(diagnoses).toContainEqual(
    expect.objectContaining({ part: "definitions", status: "problem", fix: expect.stringContaining("waymark init") }),
  );
});

test("a config that starts a file which is not there is a problem of each host that uses it", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude,codex");
  rmSync(join(root, "node_modules"), { recursive: true });
  const { code, diagnoses } = await doctor();
  expect(code).toBe(1);
  const hostProblems = diagnoses.filter(({ part, status }) => part === "host" && status === "problem");
  expect(hostProblems.map(({ message }) => message)).toEqual([
    "Claude Code cannot start Waymark by .mcp.json: ./node_modules/waymark/dist/waymark.js does not exist.",
    "Codex cannot start Waymark by .codex/config.toml: ./node_modules/waymark/dist/waymark.js does not exist.",
  ]);
});

test("a config that cannot be read is named with its line", async () => {
  const { init, doctor, root } = project();
  await init("--client", "cursor");
  writeFileSync(join(root, ".cursor/mcp.json"), "{\n  oops\n}\n");
  const { code, diagnoses } = await doctor();
  expect(code).toBe(1);
  expect(diagnoses).toContainEqual({
    part: "host",
    status: "problem",
    message: expect.stringContaining("Cursor: .cursor/mcp.json: line 2: it is not valid JSON"),
    fix: "Fix .cursor/mcp.json, then run waymark init --client cursor.",
  });
});

test("hooks that are missing or old are a warning, and so are rules that init would add", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude", "--no-hooks");
  expect(await warningsOf(doctor)).toEqual([expect.stringContaining("Claude Code has no hooks of Waymark")]);
  await init("--client", "claude");
  expect(await warningsOf(doctor)).toEqual([]);
  const file = join(root, ".claude/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  delete settings.hooks.Stop;
  writeFileSync(file, JSON.stringify(settings));
  expect(await warningsOf(doctor)).toEqual([
    "Claude Code: the hooks in .claude/settings.json are not those of this version.",
  ]);
  await init("--client", "claude");
  rmSync(join(root, "AGENTS.md"));
  expect(await warningsOf(doctor)).toEqual(["Claude Code: not as this version of Waymark sets it up: AGENTS.md."]);
});

test("a project area that does not exist yet is no problem", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude", "--template", "blank");
  const config = join(root, ".waymark/bots/team_bot/bot_config.json");
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), project_area: "decisions" }));
  const { diagnoses } = await doctor();
  expect(diagnoses.filter(({ part, status }) => part === "store" && status !== "ok")).toEqual([]);
});

test("errors of the definitions are a problem, and point to waymark check", async () => {
  const { init, doctor, root } = project();
  await init();
  writeFileSync(join(root, ".waymark/bots/story_bot/bot_config.json"), "{");
  const { code, diagnoses } = await doctor();
  expect(code).toBe(1);
  expect(diagnoses).toContainEqual(
    expect.objectContaining({ part: "definitions", status: "problem", fix: expect.stringContaining("waymark check") }),
  );
});

test("commands that nobody trusted are a warning until waymark trust", async () => {
  const { init, doctor, root, run } = project();
  writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
  await init("--template", "test-generation", "--tests", "npm", "--client", "claude");
  expect(await warningsOf(doctor)).toEqual(["Not trusted on this machine: 1 command of a check."]);
  expect((await run("trust", "--yes")).code).toBe(0);
  expect(await warningsOf(doctor)).toEqual([]);
});

test("trust that would be kept inside the project is a problem", async () => {
  const { init, doctor, root } = project();
  await init();
  const { code, diagnoses } = await doctor({ XDG_STATE_HOME: join(root, "state") });
  expect(code).toBe(1);
  expect(diagnoses).toContainEqual(expect.objectContaining({ part: "trust", status: "problem" }));
});

test("git that takes Waymark's own files is a warning, by the file", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude");
  writeFileSync(join(root, "workflow_state.json"), "{}");
  execFileSync("git", ["add", "-f", "workflow_state.json"], { cwd: root });
  expect(await warningsOf(doctor)).toEqual([
    "git tracks 1 file that should stay on this machine, such as workflow_state.json.",
  ]);
  writeFileSync(join(root, ".gitignore"), "");
  expect(await warningsOf(doctor)).toEqual([".gitignore lacks lines for Waymark's own files."]);
});

test("a database that does not answer is a problem of the store", async () => {
  const { init, run } = project();
  await init();
  const { code, stdout } = await run("doctor", "--store", "postgres://127.0.0.1:1/none");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem {2}store {8}\S/m);
});

test("assistants that would start an old Node are a problem", async () => {
  const { init, doctor, root } = project();
  await init();
  const old = join(dirname(root), "old");
  mkdirSync(old);
  writeFileSync(join(old, "node"), "#!/bin/sh\necho v18.20.0\n");
  chmodSync(join(old, "node"), 0o755);
  const { diagnoses } = await doctor({ PATH: old });
  expect(diagnoses[0]).toMatchObject({
    part: "node",
    status: "problem",
    message: expect.stringContaining("Assistants start Node 18.20.0"),
  });
  expect((await doctor({ PATH: "" })).diagnoses[0]).toMatchObject({ part: "node", status: "problem" });
});

test("a copy of another version in the project is a warning, and a foreign package a problem", async () => {
  const { init, doctor, root } = project();
  await init("--client", "claude");
  const manifest = join(root, "node_modules/waymark/package.json");
  writeFileSync(manifest, JSON.stringify({ name: "waymark", version: "0.0.9" }));
  expect(await warningsOf(doctor)).toEqual([expect.stringContaining("The project has waymark 0.0.9")]);
  writeFileSync(manifest, JSON.stringify({ name: "waymarks", version: "0.1.0" }));
  expect((await doctor()).diagnoses).toContainEqual(expect.objectContaining({ part: "package", status: "problem" }));
});

test("with a team server it asks for the sign-in, not for definitions", async () => {
  const { init, doctor } = project();
  const url = "https://waymark.example.com/mcp";
  await init("--client", "claude", "--remote", url);
  const { code, diagnoses } = await doctor();
  expect(code).toBe(1);
  expect(diagnoses.filter(({ status }) => status !== "ok")).toEqual([
    {
      part: "trust",
      status: "problem",
      message: `You are not signed in at ${url}.`,
      fix: `Run waymark serve --remote ${url} --login in your own terminal.`,
    },
  ]);
  expect(await doctor({ WAYMARK_TOKEN: "wm_example" })).toMatchObject({ code: 0 });
});

test("passwords and tokens in a config are not printed", async () => {
  const { init, run, root } = project();
  await init("--client", "claude,cursor");
  const file = join(root, ".mcp.json");
  const config = JSON.parse(readFileSync(file, "utf8"));
  config.mcpServers.waymark.args.push("--store", "postgres://waymark:s3cret@db.example.com/waymark?password=s3cret");
  writeFileSync(file, JSON.stringify(config));
  const server = { url: "https://dana:s3cret@waymark.example.com/mcp?token=s3cret" };
  writeFileSync(join(root, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { waymark: server } }));
  for (const format of [[], ["--json"]]) {
    const { stdout } = await run("doctor", ...format);
    expect(stdout).toContain("--store postgres://…@db.example.com/waymark");
    expect(stdout).toContain("Cursor connects to https://…@waymark.example.com/mcp");
    expect(stdout).not.toContain("s3cret");
  }
});

/** A git repository with Waymark as one of its packages, and a home of its own. */
function project() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "waymark-doctor-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [root, home, bin] = [join(top, "project"), join(top, "home"), join(top, "bin")] as const;
  for (const folder of [root, home, bin]) mkdirSync(folder);
  symlinkSync(process.execPath, join(bin, "node"));
  symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  execFileSync("git", ["init", "--quiet", root]);
  const installed = join(root, "node_modules/waymark");
  cpSync(join(import.meta.dirname, "../../package.json"), join(installed, "package.json"));
  mkdirSync(join(installed, "dist"));
  writeFileSync(join(installed, "dist/waymark.js"), "");
  writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  const own = { PATH: bin, HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, "state"), WAYMARK_TOKEN: "" };
  const run = (...args: readonly string[]) => runCli(args, root, own);
  const init = async (...args: readonly string[]) => {
    const { code, stderr } = await run("init", ...args);
    expect(code, stderr).toBe(0);
  };
  const doctor = async (env = {}): Promise<{ code: number | null; diagnoses: readonly Diagnosis[] }> => {
    const { code, stdout } = await runCli(["doctor", "--json"], root, { ...own, ...env });
    const { diagnoses }: { diagnoses: readonly Diagnosis[] } = JSON.parse(stdout);
    for (const { status, fix } of diagnoses) expect(fix !== undefined).toBe(status !== "ok");
    return { code, diagnoses };
  };
  return { root, run, init, doctor };
}

async function warningsOf(doctor: ReturnType<typeof project>["doctor"]): Promise<readonly string[]> {
  const { diagnoses } = await doctor();
  return diagnoses.filter(({ status }) => status === "warning").map(({ message }) => message);
}

function filesOf(root: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(root, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".git/"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
