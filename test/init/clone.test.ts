import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Seen } from "../hosts/model-api.ts";
import { type Host, runHost } from "../hosts/run-host.ts";
import { wholeOr } from "../whole.ts";
import { claude, codexOf } from "./told-by-project.ts";

const WAYMARK = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

const cases: readonly { readonly title: string; readonly host: (root: string) => Host; readonly config: string }[] = [
  { title: "Claude Code", host: () => claude, config: ".mcp.json" },
  { title: "Codex", host: codexOf("scripted"), config: ".codex/config.toml" },
];

describe("Ada sets a project up and commits it, Ben clones it", () => {
  let top: string;
  const at = (path: string): string => join(top, path);

  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "waymark-clone-")));
    const ada = at("ada/shop");
    mkdirSync(ada, { recursive: true });
    writeFileSync(join(ada, ".gitignore"), "node_modules/\n");
    writeFileSync(join(ada, "package.json"), '{ "private": true, "devDependencies": { "waymark": "0.1.0" } }\n');
    install(ada);
    run(process.execPath, ["node_modules/waymark/dist/waymark.js", "init", "--client", "claude,codex"], ada);
    git(ada, "init", "--initial-branch=main");
    git(ada, "add", "--all");
    git(ada, "commit", "--message=A process of our own");
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it.each(wholeOr(cases, cases.slice(0, 1)))(
    "and $title works in the clone, and in a worktree of it, on nothing but Ben's own",
    async (one) => {
      const home = mkdtempSync(at("ben-"));
      const clone = join(home, "code");
      const worktree = join(home, "feature");
      git(home, "clone", "--quiet", at("ada/shop"), "code");
      git(clone, "worktree", "add", "--quiet", "-b", "feature", worktree);
      for (const folder of [clone, worktree]) install(folder);
      const config = readFileSync(join(clone, one.config), "utf8");
      for (const own of [top, process.execPath, "--root"]) expect(config).not.toContain(own);
      for (const folder of [clone, worktree]) {
        const ada = filesIn(at("ada"));
        const ben = filesIn(home);
        expect(await answerIn(folder, one.host(clone))).toContain("gather_context");
        expect(filesIn(at("ada"))).toEqual(ada);
        const written = filesIn(home).filter((file) => !ben.includes(file));
        expect(written.some((file) => file.includes(".jsonl"))).toBe(true);
      }
    },
  );
});

/** What a host that is started there reads of the bot. */
async function answerIn(root: string, host: Host): Promise<string> {
  let answer = "";
  const last = ({ answers }: Seen): string => answers.at(-1) ?? "";
  const { exitCode, stderr } = await runHost(host, {
    root,
    mcpCommand: ["none"],
    prompt: "Let us make a story map.",
    script: async function* (first: Seen) {
      if (!first.tools.join().includes("story_bot")) yield { search: "story map" };
      answer = last(yield { call: "story_bot", with: {} });
      return "That was all.";
    },
  });
  expect(exitCode, stderr).toBe(0);
  return answer;
}

/** Puts Waymark among a working copy's packages, as npm would. */
function install(root: string): void {
  for (const part of ["dist", "templates", "schemas", "package.json"])
    cpSync(join(WAYMARK, "../..", part), join(root, "node_modules/waymark", part), { recursive: true });
}

function git(folder: string, ...args: readonly string[]): void {
  run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], folder);
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: "pipe", env: { PATH: process.env.PATH, HOME: cwd } });
}

/** Every file of a person's, but packages and git's own, with its size. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(node_modules|\.git)\//.test(path))
    .map((path) => `${path} ${readFileSync(path).length}`)
    .sort();
}
