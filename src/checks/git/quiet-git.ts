import { execFile } from "node:child_process";

/** The output of git, or why it failed. */
export type GitAnswer = { readonly text: string } | { readonly failed: string };

/** Runs git without anything the repository configures: no hooks, file system monitor, filters, pager, external diff or network. */
export async function askGit(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
  if (namesOnly.has(args[0] ?? "")) return git(folder, [], args);
  const listed = await git(folder, [], ["config", "--includes", "--name-only", "--list", "-z"]);
  if ("failed" in listed) return listed;
  const filters = new Set(listed.text.split("\0").flatMap((key) => /^filter\.(.+)\.\w+$/.exec(key)?.[1] ?? []));
  const off = [...filters].flatMap((name) => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
  return git(folder, off, args);
}

/** Commands that read no file content, so no filter applies. */
const namesOnly = new Set(["ls-files", "ls-tree", "rev-list", "rev-parse", "symbolic-ref"]);

function git(folder: string, more: readonly (readonly string[])[], args: readonly string[]): Promise<GitAnswer> {
  const settings = [...quiet, ...more];
  const config = settings.flatMap(([key = "", value = ""], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const env = {
    PATH: process.env.PATH,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(config),
  };
  return new Promise((resolve) => {
    const limits = { cwd: folder, env, maxBuffer: 64 << 20, timeout: 60_000, encoding: "utf8" } as const;
    execFile("git", ["--no-pager", ...args], limits, (error, text, problem) => {
      resolve(error === null ? { text } : { failed: problem.trim().split("\n")[0] || error.message });
    });
  });
}

const quiet = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.untrackedCache", "false"],
  ["diff.external", ""],
  ["protocol.allow", "never"],
  ["safe.directory", "*"],
] as const;
