import { execFile } from "node:child_process";
import { defined } from "../../kit/defined.ts";
import { findDotGit, findRepository, gitFolderOf } from "../repository.ts";
import { findProgram } from "./find-program.ts";

/** The output of git, or why it failed. */
export type GitAnswer = { readonly text: string } | { readonly failed: string };

/** The raw output of git, or why it failed. */
export type GitOutput = { readonly out: Buffer } | { readonly failed: string };

/** The standard input of git, and an index to use instead of the repository's. */
export type GitOptions = { readonly input?: string; readonly index?: string };

/** Asks git in a folder and returns text. */
export async function askGit(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
  return askGitWith(folder, {}, ...args);
}

/** Asks git with input or an index of our own, and returns text. */
export async function askGitWith(folder: string, options: GitOptions, ...args: readonly string[]): Promise<GitAnswer> {
  const answer = await runGit(folder, args, options);
  return "failed" in answer ? answer : { text: answer.out.toString("utf8") };
}

/**
 * Runs a git from outside the project on the work tree that holds a folder, without the repository's hooks, monitor, filters, excludes,
 * replaced objects, grafts or network. All of Waymark's git calls come through here; none may read file content or enter a submodule.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  { input = "", index }: GitOptions = {},
): Promise<GitOutput> {
  const found = await findDotGit(folder);
  const gitFolder = found === undefined ? undefined : await gitFolderOf(found);
  if (found === undefined || gitFolder === undefined) return { failed: "not a git repository" };
  const git = await gitFor(found.tree);
  if (git === undefined) return { failed: "git was not found outside the project" };
  const config = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const env = {
    LC_ALL: "C",
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: found.tree,
    ...defined({ GIT_INDEX_FILE: index }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: nothing,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: nothing,
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(config),
  };
  const limits = { cwd: folder, env, maxBuffer: mostBytes, timeout: 60_000, encoding: "buffer" } as const;
  return new Promise((resolve) => {
    const child = execFile(git, ["--no-pager", ...args], limits, (error, out, problem) => {
      const why = problem.toString("utf8").trim().split("\n")[0];
      resolve(error === null ? { out } : { failed: why || error.message });
    });
    child.stdin?.on("error", () => undefined); // git exited before reading: the exit code says so
    child.stdin?.end(input);
  });
}

/** Fetches what others pushed, with this person's own git settings and sign-in, but without hooks or submodules. */
export async function fetchRemotes(folder: string): Promise<void> {
  const found = await findDotGit(folder);
  const git = found && (await gitFor(found.tree));
  if (git === undefined) return;
  const args = ["-c", `core.hooksPath=${nothing}`, "-c", "core.fsmonitor=false", "fetch", "--quiet", "--all"];
  await new Promise<void>((done) => {
    execFile(git, [...args, "--no-recurse-submodules"], { cwd: folder, timeout: 60_000 }, () => done());
  });
}

/** The path of git for each work tree, looked up once. */
const programs = new Map<string, Promise<string | undefined>>();

function gitFor(tree: string): Promise<string | undefined> {
  const found = programs.get(tree) ?? findRepository(tree).then((all) => findProgram("git", tree, all?.main ?? tree));
  programs.set(tree, found);
  return found;
}

const nothing = process.platform === "win32" ? "NUL" : "/dev/null";

const mostBytes = 256 * 1024 * 1024;

const foldsCase = String(process.platform === "win32" || process.platform === "darwin");

/** Settings that no repository may choose. */
const settings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", nothing],
  ["core.untrackedCache", "false"],
  ["core.excludesFile", nothing],
  ["core.attributesFile", nothing],
  ["core.sparseCheckout", "false"],
  ["core.splitIndex", "false"],
  ["core.commitGraph", "false"],
  ["core.useReplaceRefs", "false"],
  ["core.ignoreCase", foldsCase],
  ["core.precomposeUnicode", String(process.platform === "darwin")],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "none"],
  ["submodule.recurse", "false"],
  ["protocol.allow", "never"],
  ["safe.directory", "*"],
];
