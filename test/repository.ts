import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeProject, type Project, projectAt } from "./project.ts";

/** A project in a repository with one commit, which holds its definitions. */
export function makeRepository(): Project {
  const project = makeProject();
  git(project.root, "init", "-q", "-b", "main");
  project.write(
    ".gitignore",
    ".waymark/journal/\n.waymark/runs/\n.waymark/tmp/\nworkflow_state.json\nactivity_log.json\n",
  );
  git(project.root, "add", "-A");
  git(project.root, "commit", "-q", "-m", "definitions");
  return project;
}

/** A linked work tree of it, on a branch of its own, in a folder elsewhere. */
export function addWorkTree(project: Project, branch: string, ...options: readonly string[]): Project {
  const folder = join(mkdtempSync(join(tmpdir(), "waymark-tree-")), "tree");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  git(project.root, "worktree", "add", "-q", ...(options.length === 0 ? ["-b", branch] : options), folder);
  return projectAt(folder);
}

/** Runs git in a folder. */
export function git(folder: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=A Person", "-c", "user.email=person@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
