import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeProject, type Project, projectAt } from "./project.ts";
import { removeFolder } from "./temporary.ts";

/** A project in a repository with one commit, which holds its definitions. */
export function makeRepository(): Project {
  const project = makeProject();
  project.write(
    ".gitignore",
    ".waymark/journal/\n.waymark/runs/\n.waymark/tmp/\nworkflow_state.json\nactivity_log.json\n",
  );
  commitAll(project.root, "definitions");
  return project;
}

/** A linked work tree of it, on a branch of its own, in a folder elsewhere. */
export function addWorkTree(project: Project, branch: string, ...options: readonly string[]): Project {
  const folder = join(mkdtempSync(join(tmpdir(), "waymark-tree-")), "tree");
  onTestFinished(() => removeFolder(folder));
  git(project.root, "worktree", "add", "-q", ...(options.length === 0 ? ["-b", branch] : options), folder);
  return projectAt(folder);
}

/** Makes a folder a repository if it is none, and commits everything in it. */
export function commitAll(folder: string, message: string, ...words: readonly string[]): void {
  const init = existsSync(join(folder, ".git")) ? [] : [["init", "-q", "-b", "main"]];
  gitInOrder(folder, ...init, ["add", "-A"], ["commit", "-q", "-m", message, ...words]);
}

/** Runs git several times in a folder by one process: to start one takes a large test process longer than git takes. */
export function gitInOrder(folder: string, ...commands: readonly (readonly string[])[]): void {
  const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const script = commands.map((words) => ["git", ...who, ...words].map(quoted).join(" ")).join(" && ");
  execFileSync("sh", ["-c", script], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs git in a folder. */
export function git(folder: string, ...words: readonly string[]): string {
  return execFileSync("git", [...who, ...words], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const who = ["-c", "user.name=A Person", "-c", "user.email=person@example.org", "-c", "commit.gpgsign=false"];
