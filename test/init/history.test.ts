import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { openWindow } from "../window.ts";
import { type Bench, makeBench } from "./bench.ts";

test("a committed history is one setting, and what git is told", () => {
  const bench = makeBench();
  bench.init({ template: "blank", history: "committed" });
  expect(JSON.parse(bench.read(".waymark/config.json"))).toEqual({
    $schema: "./schemas/config.schema.json",
    history: "committed",
  });
  git(bench.root, "init", "--quiet");
  const files = [
    "journal/a.jsonl",
    "journal/runs/a/b%2Fc.jsonl",
    "journal/sessions/s.jsonl",
    "heads/a.jsonl",
    "pinned/x.json",
  ];
  for (const area of ["", "area/", "deep/er/"]) {
    expect(
      ignoredOf(
        bench,
        files.map((file) => `${area}.waymark/${file}`),
      ),
    ).toEqual([]);
    const own = [
      ...["held/a/x", "kept/x", "tmp/x", "sessions/s.json", "runs/a/b/workflow_state.json", "index/x", "backups/x"],
      ...["journal/a.published", "journal/a.checkpoint", "journal/a.state.shown"],
      ...["journal/runs/a/b.checkpoint", "journal/runs/a/b.published"],
    ].map((file) => `${area}.waymark/${file}`);
    const machine = [...own, `${area}workflow_state.json`, `${area}activity_log.json`];
    expect(ignoredOf(bench, machine)).toEqual(machine);
    expect(attributesOf(bench, `${area}.waymark/journal/runs/a/b.jsonl`)).toMatch(/merge: union\n.*text: unset/);
    expect(attributesOf(bench, `${area}.waymark/journal/a.jsonl`)).toMatch(/merge: union\n.*text: unset/);
    expect(attributesOf(bench, `${area}.waymark/pinned/x.json`)).toMatch(/merge: unspecified\n.*text: unset/);
  }
});

test("a local history is kept out of git, and needs no setting", () => {
  const bench = makeBench();
  bench.init({ template: "blank", history: "local" });
  for (const file of [".waymark/config.json", ".gitattributes"]) expect(existsSync(join(bench.root, file))).toBe(false);
  git(bench.root, "init", "--quiet");
  const kept = ["journal/a.jsonl", "runs/a/b/workflow_state.json", "pinned/x.json"].map(
    (file) => `area/.waymark/${file}`,
  );
  expect(ignoredOf(bench, kept)).toEqual(kept);
});

test("the setting comes into the team's own settings with everything else as it was", () => {
  const bench = makeBench();
  bench.write(".waymark/config.json", '{\n\t// ours\n\t"strict": true, // please\n}\n');
  bench.init({ history: "committed" });
  expect(bench.read(".waymark/config.json")).toBe(
    '{\n\t// ours\n\t"strict": true, // please\n\t"history": "committed",\n}\n',
  );
});

test("changing from one to the other exchanges our lines and nothing else, and what the settings say holds for later runs", () => {
  const bench = makeBench();
  bench.write(".gitignore", "node_modules/\n");
  bench.write(".gitattributes", "*.png binary\n");
  bench.init({ template: "blank" });
  const local = bench.all();
  bench.init({ history: "committed" });
  expect(bench.read(".gitignore")).toMatch(
    /^node_modules\/\n\n# waymark begin\n(.|\n)*\*\.checkpoint\n(.|\n)*# waymark end\n$/,
  );
  expect(bench.read(".gitattributes")).toMatch(/^\*\.png binary\n\n# waymark begin\n/);
  expect(bench.init({ clients: ["gemini"] })).not.toContain(".gitignore");
  bench.init({ history: "local" });
  for (const file of [".gitignore", ".gitattributes"]) expect(bench.read(file)).toBe(local[join(bench.root, file)]);
  expect(JSON.parse(bench.read(".waymark/config.json")).history).toBe("local");
});

test("lines that somebody took out of our block stay out when the history moves", () => {
  const bench = makeBench();
  bench.init({ template: "blank" });
  bench.write(
    ".gitignore",
    bench.read(".gitignore").replace("workflow_state.json\n", "").replace("# waymark end", "mine\n# waymark end"),
  );
  bench.init({ history: "committed" });
  expect(bench.read(".gitignore")).not.toContain("workflow_state.json");
  expect(bench.read(".gitignore")).not.toContain("**/.waymark/journal/\n");
  expect(bench.read(".gitignore")).toContain("mine\n");
  expect(bench.read(".gitignore")).toContain("*.checkpoint\n");
});

test("undone, nothing of it is left", () => {
  const bench = makeBench();
  bench.write(".gitattributes", "*.png binary\n");
  const before = bench.all();
  bench.init({ template: "blank", history: "committed" });
  bench.remove();
  expect(bench.all()).toEqual(before);
});

test("a place that nobody knows is refused", async () => {
  const { root } = makeBench();
  expect(await runCli(["init", "--history", "git"], root)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("local, committed"),
  });
});

test("branches with different runs merge without a conflict, a clone goes on with them, and of one run every record of both is kept", async () => {
  const bench = makeBench();
  const { root } = bench;
  bench.init({ template: "blank", history: "committed" });
  git(root, "init", "--quiet", "--initial-branch=main");
  commit(root, "a process of our own");
  const journal = ".waymark/journal/runs/team_bot/two.jsonl";
  for (const run of ["one", "two"]) {
    git(root, "checkout", "--quiet", "-b", run, "main");
    await work(root, run);
    commit(root, run);
  }
  git(root, "merge", "--quiet", "--no-edit", "one");
  expect(git(root, "ls-files", ".waymark/journal").trim().split("\n")).toEqual([
    ".waymark/journal/runs/team_bot/one.jsonl",
    journal,
  ]);
  expect(git(root, "status", "--porcelain")).toBe("");
  const clone = join(bench.home, "clone");
  git(bench.home, "clone", "--quiet", root, clone);
  expect(await work(clone, "one")).toBe("decide_planning_criteria");

  git(root, "checkout", "--quiet", "-b", "other");
  const grown: string[] = [];
  for (const branch of ["two", "other"]) {
    git(root, "checkout", "--quiet", branch);
    // What stands in the ignored state file is the other branch's work, and moves nothing here.
    expect(await work(root, "two")).toBe("decide_planning_criteria");
    commit(root, `on ${branch}`);
    grown.push(readFileSync(join(root, journal), "utf8"));
  }
  git(root, "merge", "--quiet", "--no-edit", "two");
  const merged = readFileSync(join(root, journal), "utf8").split("\n");
  for (const line of grown.flatMap((text) => text.split("\n"))) expect(merged).toContain(line);
  expect(grown[0]).not.toBe(grown[1]);
});

/** Does the next action of a run, and says which that was. */
async function work(root: string, run: string): Promise<string | null> {
  const { call, close } = await openWindow(root);
  const { action } = await call("team_bot", { run });
  expect(await call("complete_action", { run, outputs: { answer: "yes" }, confirmation: "yes, done" })).toMatchObject({
    status: "completed",
  });
  await close();
  return action;
}

/** Those of the files that git ignores. */
function ignoredOf({ root }: Bench, files: readonly string[]): readonly string[] {
  const { stdout } = spawnSync("git", ["check-ignore", ...files], { cwd: root, encoding: "utf8" });
  return stdout.trim().split("\n").filter(Boolean);
}

function attributesOf({ root }: Bench, file: string): string {
  return git(root, "check-attr", "merge", "text", "--", file);
}

function commit(root: string, message: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", message);
}

function git(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8", stdio: "pipe" });
}
