import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

/** A folder outside of every project, with a secret in it. */
function outside() {
  const folder = mkdtempSync(join(tmpdir(), "waymark-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "secret"), "a secret\n");
  const everything = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "utf8")]),
    );
  return { folder, secret: join(folder, "secret"), everything };
}

/** Every text that stands in a project, whatever the file; links are not followed. */
function textsIn(project: Project): string {
  return readdirSync(project.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** Everything that a bot does with files: two steps, outputs, a file, an edited state file, a second run. */
async function walk(window: Window, project: Project): Promise<string> {
  const said: string[] = [];
  const note = (answer: unknown): void => void said.push(JSON.stringify(answer));
  note(await window.call("story_bot"));
  const content = [{ path: "docs/map.md", text: "map" }];
  note(await window.call("complete_action", { outputs: { a: "b" }, content }));
  note(await window.call("complete_action", { confirmation: "yes, done" }));
  if (existsSync(project.path("workflow_state.json"))) writeFileSync(project.path("workflow_state.json"), "{");
  note(await window.call("story_bot"));
  note(await window.call("shape_bot", { run: "second" }));
  return said.join("\n");
}

// Attack (shell): Put a link at `.waymark/`, the journal, `tmp`, `kept`, `held`, `sessions`, `runs` or our two files
// -> Refused: nothing is read or written through it, and it is named
describe("an assistant with a shell lays a link", () => {
  test.each([
    [".waymark/journal", "folder"],
    [".waymark/journal/story_bot.jsonl", "file"],
    [".waymark/journal/runs", "folder"],
    [".waymark/tmp", "folder"],
    [".waymark/kept", "folder"],
    [".waymark/held", "folder"],
    [".waymark/runs", "folder"],
    ["workflow_state.json", "file"],
    ["activity_log.json", "file"],
  ] as const)("at %s: nothing is read or written through it, and the reply names it", async (place, kind) => {
    const project = makeProject();
    const { folder, secret, everything } = outside();
    mkdirSync(dirname(project.path(place)), { recursive: true });
    symlinkSync(kind === "folder" ? folder : secret, project.path(place));
    const before = everything();
    const said = await walk(await openWindow(project.root), project);
    expect(everything()).toEqual(before);
    expect(textsIn(project)).not.toContain("a secret");
    expect(said).toContain(`${place} is a link`);
  });

  test.each([
    ".waymark/journal/story_bot.checkpoint",
    ".waymark/journal/story_bot.published",
    ".waymark/journal/story_bot.state.shown",
    ".waymark/journal/story_bot.log.shown",
  ])("at %s: nothing is read or written through it", async (place) => {
    const project = makeProject();
    const { secret, everything } = outside();
    mkdirSync(dirname(project.path(place)), { recursive: true });
    symlinkSync(secret, project.path(place));
    const before = everything();
    await walk(await openWindow(project.root), project);
    expect(everything()).toEqual(before);
  });

  // Attack (shell): Move `.waymark/` or one of its folders away while the server runs, and put a link in its place
  // -> Nothing more is written there but to temporary files that were open; it is named
  test.each([".waymark", ".waymark/journal", ".waymark/tmp", ".waymark/kept"])(
    "at %s while a server runs, and carries the folder away: nothing more is written there",
    async (place) => {
      const project = makeProject();
      const { folder, everything } = outside();
      const window = await openWindow(project.root);
      await window.pass("story_bot", { outputs: { a: "b" } });
      const carried = join(folder, basename(place));
      mkdirSync(project.path(place), { recursive: true });
      renameSync(project.path(place), carried);
      symlinkSync(carried, project.path(place));
      // Files of ours that were open when they went are ours still.
      const others = (): unknown => Object.entries(everything()).filter(([path]) => !path.endsWith(".tmp"));
      const before = others();
      const said = await walk(window, project);
      expect(others()).toEqual(before);
      // Without the definitions there is nothing to go on with.
      expect(said).toContain(place === ".waymark" ? '"status":"refused"' : `${place} is a link`);
    },
  );

  test.each([".waymark/journal/sessions", ".waymark/sessions", ".waymark/pinned"])(
    "at %s, where sessions are kept: nothing is written through it",
    async (place) => {
      const project = makeProject();
      addWorkflow(project);
      const { folder, everything } = outside();
      mkdirSync(dirname(project.path(place)), { recursive: true });
      symlinkSync(folder, project.path(place));
      const before = everything();
      const window = await openWindow(project.root);
      await callPhase(window, "start_workflow", { workflow_type: "survey" }).catch(() => undefined);
      expect(everything()).toEqual(before);
    },
  );

  test("at the journal: verify says so and exits 1", async () => {
    const project = makeProject();
    const { secret } = outside();
    await (await openWindow(project.root)).pass("story_bot");
    rmSync(project.path(".waymark/journal/story_bot.jsonl"));
    symlinkSync(secret, project.path(".waymark/journal/story_bot.jsonl"));
    const { code, stdout, stderr } = await runCli(["verify", "--root", project.root]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("is a link");
  });

  test("at the folder of journals: verify says so and exits 1", async () => {
    const project = makeProject();
    const { folder } = outside();
    await (await openWindow(project.root)).pass("story_bot");
    rmSync(project.path(".waymark/journal"), { recursive: true });
    symlinkSync(folder, project.path(".waymark/journal"));
    const { code, stdout, stderr } = await runCli(["verify", "--root", project.root]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(".waymark/journal is a link");
  });

  test("goes away again: what was held is written, and the work goes on", async () => {
    const project = makeProject();
    const { secret } = outside();
    mkdirSync(project.path(".waymark/journal"), { recursive: true });
    symlinkSync(secret, project.path(".waymark/journal/story_bot.jsonl"));
    const window = await openWindow(project.root);
    await window.pass("story_bot");
    rmSync(project.path(".waymark/journal/story_bot.jsonl"));
    expect((await window.pass("story_bot")).warnings).toEqual([]);
    expect(project.read(".waymark/journal/story_bot.jsonl").trim().split("\n")).toHaveLength(4);
  });
});

// Attack (shell): Put a link in the place of the project area, also between two calls
// -> Refused: nothing is done behind it, and it is named
describe("an assistant with a shell puts a link in the place of the project area", () => {
  test.each(["outside", "inside"])(
    "between two calls, which leads to a folder %s: no call goes there, and it is said",
    async (where) => {
      const project = makeProject();
      addWorkflow(project);
      mkdirSync(project.path("work"));
      const { folder, everything } = outside();
      const args = ["--project-area", project.path("work")];
      const window = await openWindow(project.root, { args });
      await window.call("story_bot");
      renameSync(project.path("work"), project.path("work2"));
      if (where === "inside") mkdirSync(project.path("other"));
      symlinkSync(where === "inside" ? "other" : folder, project.path("work"));
      const before = everything();
      const content = [{ path: "a.md", text: "a" }];
      for (const answer of [
        await window.call("complete_action", { content, confirmation: "yes, done" }),
        await window.call("story_bot"),
        await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" }),
      ])
        expect(answer).toMatchObject({
          error: "unavailable",
          message: expect.stringMatching(/^The project area work .*link/),
        });
      expect(everything()).toEqual(before);
      if (where === "inside") expect(readdirSync(project.path("other"))).toEqual([]);
      rmSync(project.path("work"));
      renameSync(project.path("work2"), project.path("work"));
      expect(await window.call("complete_action", { content, confirmation: "yes, done" })).toMatchObject({
        status: "completed",
      });
    },
  );

  test("before the server starts, which leads out of the project: nothing is done there, and verify says so", async () => {
    const project = makeProject();
    const { folder, everything } = outside();
    symlinkSync(folder, project.path("work"));
    const before = everything();
    const args = ["--project-area", project.path("work")];
    const window = await openWindow(project.root, { args });
    expect(await window.call("story_bot")).toMatchObject({ error: "unavailable" });
    const { code, stderr } = await runCli(["verify", "--root", project.root, ...args]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("leads out of the project through a link")]);
    expect(everything()).toEqual(before);
  });

  test("a project area elsewhere, named as such, is used, also by way of a link", async () => {
    const project = makeProject();
    const { folder } = outside();
    const elsewhere = mkdtempSync(join(tmpdir(), "waymark-linked-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    symlinkSync(folder, join(elsewhere, "area"));
    const window = await openWindow(project.root, { args: ["--project-area", join(elsewhere, "area")] });
    expect(await window.pass("story_bot")).toMatchObject({ status: "completed" });
    expect(existsSync(join(folder, "workflow_state.json"))).toBe(true);
  });
});

// Attack (shell): Put a hard link at the journal, the two JSON files or a file beside them
// -> Refused: nothing is read or written through it, and it is named
describe("an assistant with a shell gives a file of somebody's a second name", () => {
  test.each([
    ".waymark/journal/story_bot.jsonl",
    ".waymark/journal/runs/story_bot/second.jsonl",
    "workflow_state.json",
    "activity_log.json",
    ".waymark/runs/story_bot/second/workflow_state.json",
  ])("at %s: nothing is read or written through it, and the reply names it", async (place) => {
    const project = makeProject();
    const { secret, everything } = outside();
    mkdirSync(dirname(project.path(place)), { recursive: true });
    linkSync(secret, project.path(place));
    const before = everything();
    const window = await openWindow(project.root);
    const said: string[] = [];
    for (const run of [{}, { run: "second" }]) {
      said.push(JSON.stringify(await window.call("story_bot", run)));
      said.push(JSON.stringify(await window.call("complete_action", { ...run, confirmation: "yes, done" })));
      said.push(JSON.stringify(await window.call("story_bot", run)));
    }
    expect(everything()).toEqual(before);
    const kept = project.path(".waymark/kept");
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
    expect(said.join("\n")).toContain(`${place} has a hard link elsewhere`);
  });

  test.each([
    ".waymark/journal/story_bot.published",
    ".waymark/journal/story_bot.state.shown",
    ".waymark/journal/story_bot.log.shown",
  ])("at %s: nothing is written through it", async (place) => {
    const project = makeProject();
    const { secret, everything } = outside();
    mkdirSync(dirname(project.path(place)), { recursive: true });
    linkSync(secret, project.path(place));
    const before = everything();
    await walk(await openWindow(project.root), project);
    expect(everything()).toEqual(before);
  });

  test("at a journal that a history was written to: verify says so and exits 1", async () => {
    const project = makeProject();
    const { folder } = outside();
    await (await openWindow(project.root)).pass("story_bot");
    linkSync(project.path(".waymark/journal/story_bot.jsonl"), join(folder, "mine"));
    const { code, stdout, stderr } = await runCli(["verify", "--root", project.root]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("has a hard link elsewhere");
  });

  test("in our folder for temporary files as well: that explains one name, not the other", async () => {
    const project = makeProject();
    const { secret, everything } = outside();
    mkdirSync(project.path(".waymark/tmp"), { recursive: true });
    for (const place of ["workflow_state.json", ".waymark/tmp/1-x.tmp"]) linkSync(secret, project.path(place));
    const before = everything();
    const window = await openWindow(project.root);
    expect((await window.call("story_bot")).warnings.join()).toContain("workflow_state.json has a hard link elsewhere");
    expect(everything()).toEqual(before);
  });

  test("the copy of a view that a server keeps under a second name for a moment is ours", async () => {
    const project = makeProject();
    await (await openWindow(project.root)).pass("story_bot");
    // As a process leaves it that was killed between the two.
    linkSync(project.path("workflow_state.json"), project.path(".waymark/tmp/1-killed.tmp"));
    expect((await (await openWindow(project.root)).pass("story_bot")).warnings).toEqual([]);
  });
});

// Attack (shell): Put a pipe in place of one of our files, also where hooks read, or spoil what hooks read
// -> Nothing waits for it; what hooks read is made again from the history
describe("an assistant with a shell lays a pipe", () => {
  test.each([
    ".waymark/journal/story_bot.jsonl",
    "workflow_state.json",
    "activity_log.json",
    ".waymark/journal/story_bot.checkpoint",
  ])("at %s: nothing waits for it", async (place) => {
    const project = makeProject();
    mkdirSync(dirname(project.path(place)), { recursive: true });
    execFileSync("mkfifo", [project.path(place)]);
    const window = await openWindow(project.root);
    expect(await window.pass("story_bot")).toMatchObject({ status: "completed" });
  });
});
