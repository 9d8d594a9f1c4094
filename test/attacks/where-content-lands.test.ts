import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

/** Hands in one file and has it count; answers what was said. */
async function submission(window: Window, path: string) {
  await window.call("story_bot");
  return window.call("complete_action", { content: [{ path, text: "mine now" }], confirmation: "yes, done" });
}

/** A project whose definitions lie in a plain folder of the project area. */
function withProcess(name = "process"): Project {
  const project = makeProject();
  cpSync(project.path(".waymark"), project.path(name), { recursive: true });
  project.remove(".waymark");
  project.write(
    `${name}/base_actions/render_output/gate-definition.yaml`,
    "evidence_schema:\n  note: { type: string, required: true, description: A note }\n",
  );
  return project;
}

/** Has a repository believe that a folder is a linked work tree of it, on a branch of this name. */
function forgeWorkTree(project: Project, folder: string, branch = "evil"): void {
  const [tree, admin] = [project.path(folder), project.path(`.git/worktrees/${branch}`)];
  mkdirSync(tree, { recursive: true });
  mkdirSync(admin, { recursive: true });
  writeFileSync(join(admin, "gitdir"), `${tree}/.git\n`);
  writeFileSync(join(admin, "HEAD"), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(admin, "commondir"), "../..\n");
  writeFileSync(join(tree, ".git"), `gitdir: ${admin}\n`);
}

// Attack (file tools): Forge a linked worktree in `.git`, `.waymark`, `node_modules` or a dot-folder, and submit a file there
// -> Refused: nothing lands there
describe("an assistant with file tools forges a linked work tree, and hands in a file there", () => {
  test.each([
    [".git", "hooks/post-checkout"],
    [".git/worktrees/evil", "x.md"],
    [".waymark/journal", "x.md"],
    [".waymark", "journal/x.jsonl"],
    [".Waymark/journal", "x.md"],
    ["node_modules/pkg", "index.js"],
    [".claude", "settings.json"],
    [".github/workflows", "ci.yml"],
    ["docs/.vscode", "tasks.json"],
  ])("in %s: it is none, and nothing lands there", async (folder, path) => {
    const project = withProcess();
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project.root });
    forgeWorkTree(project, folder);
    const window = await openWindow(project.root, { args: ["--definitions", project.path("process")] });
    await window.call("story_bot", { run: "evil" });
    const content = [{ path, text: "mine now" }];
    await window.call("complete_action", { run: "evil", content, confirmation: "yes, done" });
    expect(existsSync(project.path(`${folder}/${path}`))).toBe(false);
  });

  test("below one that it forged before: nothing lands there either", async () => {
    const project = withProcess();
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project.root });
    forgeWorkTree(project, ".github", "first");
    forgeWorkTree(project, ".github/workflows");
    const window = await openWindow(project.root, { args: ["--definitions", project.path("process")] });
    await window.call("story_bot", { run: "evil" });
    const content = [{ path: "ci.yml", text: "mine now" }];
    await window.call("complete_action", { run: "evil", content, confirmation: "yes, done" });
    expect(existsSync(project.path(".github/workflows/ci.yml"))).toBe(false);
  });

  test("among the definitions: refused", async () => {
    const project = withProcess();
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project.root });
    forgeWorkTree(project, "process/bots");
    const window = await openWindow(project.root, { args: ["--definitions", project.path("process")] });
    await window.call("story_bot", { run: "evil" });
    const content = [{ path: "other_bot/bot_config.json", text: "{}" }];
    const answer = await window.call("complete_action", { run: "evil", content, confirmation: "yes, done" });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_input" });
    expect(existsSync(project.path("process/bots/other_bot"))).toBe(false);
  });
});

// Attack (tools): Submit a file that would overwrite the definitions, the settings, the server's code, `node_modules`, `.waymark/`, `.git/`, a dot-file or our own files, however it is spelled or linked
// -> Refused
// Attack (tools): Submit a file with the name of a device, with direction marks, control characters, or a dot or space at its end
// -> Refused
describe("an assistant with the tools alone hands in a file", () => {
  const gate = "base_actions/render_output/gate-definition.yaml";
  test.each([
    ["as the gate file", `process/${gate}`],
    ["as a gate file that is not there yet", "process/base_actions/build_knowledge/gate-definition.yaml"],
    ["as the settings", "process/config.json"],
    ["in other letters", `PROCESS/${gate}`],
    ["in letters that look the same", `\uff50rocess/${gate}`],
    ["in other letters, by a name that seems to lead out again", "PROCESS/a\uff0f..\uff0f..\uff0fx.md"],
    ["by way of a link", `docs/${gate}`],
  ])("onto the definitions in a plain folder, %s: refused", async (_, path) => {
    const project = withProcess();
    symlinkSync("process", project.path("docs"));
    const before = readFileSync(project.path(`process/${gate}`), "utf8");
    const window = await openWindow(project.root, { args: ["--definitions", project.path("process")] });
    expect(await submission(window, path)).toMatchObject({ status: "refused", error: "invalid_input" });
    expect(readFileSync(project.path(`process/${gate}`), "utf8")).toBe(before);
    expect(existsSync(project.path("process/config.json"))).toBe(false);
  });

  test("onto the definitions, where the project area lies among them: refused, and other files are taken", async () => {
    const project = makeProject();
    cpSync(project.path(".waymark"), project.root, { recursive: true });
    project.remove(".waymark");
    const window = await openWindow(project.root, { args: ["--definitions", project.root] });
    for (const path of ["bots/story_bot/bot_config.json", "config.json", "workflows/new.md", "Standards/x.md"])
      expect(await submission(window, path)).toMatchObject({ error: "invalid_input" });
    expect(await submission(window, "docs/map.md")).toMatchObject({ status: "completed" });
  });

  test.each(["node_modules/waymark/dist/waymark.js", "node_modules/story-bot/server.js", "a/Node_Modules/x.js"])(
    "into an installed package (%s): refused",
    async (path) => {
      const project = makeProject();
      expect(await submission(await openWindow(project.root), path)).toMatchObject({ error: "invalid_input" });
    },
  );

  test("into the package of the running server, which lies in the project area: refused", async () => {
    const project = makeProject();
    const home = realpathSync(join(import.meta.dirname, "../.."));
    // The package that runs here is seen from a project area that holds it; what was not there before goes again.
    const written = [".waymark", "workflow_state.json", "activity_log.json"].map((file) => join(home, "..", file));
    const added = written.filter((file) => !existsSync(file));
    onTestFinished(() => added.forEach((file) => void rmSync(file, { recursive: true, force: true })));
    const window = await openWindow(project.root, { args: ["--project-area", join(home, "..")] });
    const [name] = home.split("/").slice(-1);
    for (const path of [`${name}/package.json`, `${name}/new.ts`, `${name}/src/compose.ts`]) {
      await window.call("story_bot");
      const answer = await window.call("complete_action", { content: [{ path, text: "mine now" }] });
      expect(answer).toMatchObject({ error: "invalid_input" });
    }
    await window.close();
  });

  test.each([
    "CON",
    "docs/nul.txt",
    "aux.md",
    "COM1",
    "lpt\u00b9.log",
    "conin$",
    "docs/CLOCK$.md",
    "docs/Nul .md",
    "notes.",
    "notes ",
    "docs /a.md",
    "txt.\u202egnp.md",
    "\u2066a\u2069.md",
    "a\u200fb.md",
    "a\u009bb.md",
    "a\u2028b.md",
    "GIT~1/config",
    "waymar~1/config.json",
    ".\u200bgit/config",
    "\uff0egit/config",
    "\u200b.env",
  ])("by a name that is not what it seems (%j): refused", async (path) => {
    const project = makeProject();
    expect(await submission(await openWindow(project.root), path)).toMatchObject({ error: "invalid_input" });
  });

  test.each(["workflow_state.json", "activity_log.json"])(
    "by the name of %s of a bot that nobody has begun with: refused, and that bot begins at its beginning",
    async (name) => {
      const project = makeProject();
      const b_bot = { name: "b_bot", behaviors: ["plan"], project_area: "work/b" };
      project.write(".waymark/bots/b_bot/bot_config.json", b_bot);
      const window = await openWindow(project.root);
      for (const path of [`work/b/${name}`, `Work/B/${name.toUpperCase()}`]) {
        await window.call("story_bot");
        const content = [{ path, text: JSON.stringify({ current_behavior: "b_bot.plan" }) }];
        const answer = await window.call("complete_action", { bot: "story_bot", content, confirmation: "yes, done" });
        expect(answer, path).toMatchObject({ error: "invalid_input" });
      }
      expect(existsSync(project.path("work"))).toBe(false);
      expect(await window.call("b_bot")).toMatchObject({ status: "started", action: "gather_context", warnings: [] });
    },
  );

  test("onto a server that was generated from a bot and is not the one that runs: refused", async () => {
    const project = makeProject();
    project.write("tools/srv/.generated-by-waymark.json", {});
    project.write("tools/srv/server.js", "");
    symlinkSync("tools/srv/lib", project.path("docs"));
    mkdirSync(project.path("tools/srv/lib"));
    const window = await openWindow(project.root);
    for (const path of ["tools/srv/server.js", "tools/srv/definitions/bots/x.json", "docs/a.js"])
      expect(await submission(window, path)).toMatchObject({ error: "invalid_input" });
    expect(await submission(window, "tools/notes.md")).toMatchObject({ status: "completed" });
  });

  test("by the name of another project area's state file: refused", async () => {
    const project = makeProject();
    mkdirSync(project.path("work/.waymark"), { recursive: true });
    const window = await openWindow(project.root);
    expect(await submission(window, "work/Workflow_State.json")).toMatchObject({ error: "invalid_input" });
    expect(await submission(window, "docs/workflow_state.json")).toMatchObject({ status: "completed" });
  });

  test.each(["Größe.md", "שלום.md", "می\u200cخواهم.md", "👩\u200d💻.md", "10:30.md", "a~b.md"])(
    "by an honest name (%s): taken",
    async (path) => {
      const project = makeProject();
      expect(await submission(await openWindow(project.root), path)).toMatchObject({ status: "completed" });
      expect(project.read(path)).toBe("mine now");
    },
  );
});

describe("an assistant with a shell", () => {
  // Attack (shell): Put the definitions in the place of a folder between submission and save
  // -> Refused: what was submitted is kept, not saved
  test("puts the definitions where a folder for content stood, between hand-in and save: the file is kept, not saved", async () => {
    const project = withProcess();
    project.write("docs/a.md", "a");
    const window = await openWindow(project.root, { args: ["--definitions", project.path("process")] });
    await window.call("story_bot");
    await window.call("complete_action", { content: [{ path: "docs/config.json", text: "{}" }] });
    rmSync(project.path("docs"), { recursive: true });
    symlinkSync("process", project.path("docs"));
    const answer = await window.call("complete_action", { confirmation: "yes, done" });
    expect(answer.warnings.join()).toContain("Unable to save docs/config.json");
    expect(existsSync(project.path("process/config.json"))).toBe(false);
  });

  // Attack (shell): Put a pipe in place of one of our files, also where hooks read, or spoil what hooks read
  test("lays a pipe where a file on record stood: nothing waits for it", async () => {
    const project = makeProject();
    project.write("docs/a.md", "a");
    const window = await openWindow(project.root);
    await window.call("story_bot");
    await window.call("complete_action", { content: [{ path: "docs/a.md" }] });
    rmSync(project.path("docs/a.md"));
    execFileSync("mkfifo", [project.path("docs/a.md")]);
    expect(await window.call("complete_action", { confirmation: "yes, done" })).toMatchObject({ status: "completed" });
  });
});
