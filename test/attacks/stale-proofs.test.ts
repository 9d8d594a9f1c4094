import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import type { Project } from "../project.ts";
import { honest, provingGate, provingProject, trustAll } from "../proving.ts";
import { commitAll, git } from "../repository.ts";
import { oneOf } from "../whole.ts";
import { openWindow } from "../window.ts";

const reading = (...globs: readonly string[]): string => `${provingGate}    reads: ${JSON.stringify(globs)}\n`;

function elsewhere(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-elsewhere-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "a.js"), "one");
  return folder;
}

function inGit(project: Project): void {
  git(project.root, "init", "-q");
  project.write(".gitignore", "workflow_state.json\nactivity_log.json\n.waymark/\nreports/\n");
  commitAll(project.root, "start");
}

/** Ways to have a change to what a proof read go unseen; each gives the path that must be named. */
const unseen: readonly (readonly [string, string, (project: Project) => [path: string, change: () => void]])[] = [
  [
    "behind a linked folder",
    reading("src/**"),
    (p) => {
      const folder = elsewhere();
      p.write("src/own.js", "");
      symlinkSync(folder, p.path("src/linked"));
      return ["src/linked/a.js", () => writeFileSync(join(folder, "a.js"), "two")];
    },
  ],
  [
    "behind a linked folder with an ending to match",
    reading("src/**/*.js"),
    (p) => {
      const folder = elsewhere();
      p.write("src/own.js", "");
      symlinkSync(folder, p.path("src/linked"));
      return ["src/linked/b.js", () => writeFileSync(join(folder, "b.js"), "new")];
    },
  ],
  [
    "behind links in a circle",
    reading("src/**"),
    (p) => {
      p.write("src/own.js", "one");
      p.write("other/a.js", "one");
      symlinkSync("..", p.path("src/up"));
      symlinkSync("../other", p.path("src/other"));
      symlinkSync("../src", p.path("other/back"));
      return ["src/other/a.js", () => p.write("other/a.js", "two")];
    },
  ],
  [
    "in a hidden folder",
    reading("src/**"),
    (p) => {
      p.write("src/.hidden/a.js", "one");
      return ["src/.hidden/a.js", () => p.write("src/.hidden/a.js", "two")];
    },
  ],
  [
    "in a new hidden file",
    reading("src/**/*.js"),
    (p) => {
      p.write("src/a.js", "one");
      return ["src/.new.js", () => p.write("src/.new.js", "new")];
    },
  ],
  [
    "in a repository inside what it reads",
    reading("src/**"),
    (p) => {
      p.write("src/inner/a.js", "one");
      git(p.path("src/inner"), "init", "-q");
      return ["src/inner/a.js", () => p.write("src/inner/a.js", "two")];
    },
  ],
  [
    "in a file taken out of the index, with an exclude",
    provingGate,
    (p) => {
      p.write("src/a.js", "one");
      inGit(p);
      git(p.root, "rm", "-q", "--cached", "src/a.js");
      appendFileSync(p.path(".git/info/exclude"), "src/\n");
      return ["src/a.js", () => p.write("src/a.js", "two")];
    },
  ],
  [
    "in a new file that an exclude names",
    provingGate,
    (p) => {
      p.write("src/a.js", "one");
      inGit(p);
      writeFileSync(p.path(".git/hide"), "src/new.js\n");
      git(p.root, "config", "core.excludesFile", p.path(".git/hide"));
      return ["src/new.js", () => p.write("src/new.js", "new")];
    },
  ],
  [
    "in a repository that git lists as one entry",
    provingGate,
    (p) => {
      inGit(p);
      p.write("inner/a.js", "one");
      git(p.path("inner"), "init", "-q");
      return ["inner/a.js", () => p.write("inner/a.js", "two")];
    },
  ],
  [
    "behind a linked folder that git lists as a link",
    provingGate,
    (p) => {
      const folder = elsewhere();
      symlinkSync(folder, p.path("linked"));
      inGit(p);
      return ["linked/a.js", () => writeFileSync(join(folder, "a.js"), "two")];
    },
  ],
  [
    "in a submodule",
    provingGate,
    (p) => {
      const other = elsewhere();
      commitAll(other, "lib");
      inGit(p);
      git(p.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib");
      return ["lib/a.js", () => p.write("lib/a.js", "two")];
    },
  ],
  [
    "with an index whose flags hide it",
    provingGate,
    (p) => {
      p.write("src/a.js", "one");
      inGit(p);
      git(p.root, "update-index", "--skip-worktree", "src/a.js");
      return ["src/a.js", () => p.write("src/a.js", "two")];
    },
  ],
];

// Attack (shell): Change what a proof read where git does not look: index flags, excludes, hidden and linked folders, submodules, repositories inside
// -> Exposed as stale, with the file
test.each(oneOf(3, unseen))(
  "with a shell kept inside the project: a change %s makes a proof stale",
  async (_what, gate, make) => {
    const project = provingProject({ passed: 1 }, gate);
    mkdirSync(project.path("src"), { recursive: true });
    const [path, change] = make(project);
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
    const status = async () => (await runCli(["status", "--root", project.root])).stdout;
    expect(await status()).not.toMatch(/stale/);
    change();
    expect(await status()).toContain(path);
  },
);
