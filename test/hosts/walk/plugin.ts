import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runCli } from "../../command-line.ts";
import type { Script, Seen, Turn } from "../model-api.ts";
import { type HostResult, runHost } from "../run-host.ts";
import { isCompleted, last } from "./answers.ts";
import { makeWalkedProject } from "./project.ts";
import type { WalkedHost } from "./walk.ts";

/** What was seen of a plugin or an extension: installed, at work, upgraded, and walked to the end. */
export type PluginWalked = {
  readonly saw: Record<"opened" | "outside" | "next" | "completed", string>;
  readonly steps: readonly boolean[];
  readonly runs: readonly HostResult[];
  /** What git says of the project at the end, but for what the host wrote itself. */
  readonly untracked: readonly string[];
  /** What the history of the project says at the end. */
  readonly log: string;
};

/** Generates a plugin of the walked bot, installs it in a project that knows nothing of Waymark, and walks it to its end, over an upgrade. */
export async function walkPlugin(host: WalkedHost): Promise<PluginWalked> {
  const folders = await Promise.all(
    ["work", "home", "out"].map((name) => mkdtemp(join(tmpdir(), `waymark-plugin-${name}-`))),
  );
  const [root = "", home = "", out = ""] = folders;
  const bot = await makeWalkedProject();
  const saw = { opened: "", outside: "", next: "", completed: "" };
  const steps: boolean[] = [];
  const word = { confirmation: "The user said: yes, done" };
  try {
    await mkdir(join(root, "src"));
    await writeFile(join(root, "src/a.js"), "1\n");
    execFileSync("git", ["init", "-q"], { cwd: root });
    const plugin = join(out, "story-bot-mcp");
    await generateAndInstall(host, { bot, plugin, root, home });
    const common = { root, home, mcpCommand: ["none"] as const };
    const first = await runHost(host, {
      ...common,
      prompt: "Let us write user stories.",
      script: async function* (seen: Seen) {
        yield* untilServed(host, seen);
        saw.opened = last(yield { call: "story_bot", with: {} });
        saw.outside = last(yield host.write(join(root, "lib/a.js"), "x"));
        let answer = last(yield { call: "complete_action", with: word });
        if (!isCompleted(answer)) answer = last(yield { call: "complete_action", with: word });
        steps.push(isCompleted(answer));
        return "That is all for now.";
      },
    });
    writeFileSync(join(bot, ".waymark/base_actions/render_output/instructions.md"), "Write the stories anew.\n");
    raiseVersion(join(plugin, "package.json"));
    await generateAndInstall(host, { bot, plugin, root, home });
    const second = await runHost(host, {
      ...common,
      prompt: "Go on with the user stories.",
      script: async function* (seen: Seen) {
        yield* untilServed(host, seen);
        saw.next = last(yield { call: "story_bot", with: {} });
        let answer = last(yield { call: "complete_action", with: word });
        if (!isCompleted(answer)) answer = last(yield { call: "complete_action", with: word });
        saw.completed = answer;
        steps.push(isCompleted(answer));
        return "That was all.";
      },
    });
    const status = execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], {
      cwd: root,
      encoding: "utf8",
    });
    const { stdout: log } = await runCli(["log", "--root", root, "--definitions", join(plugin, "definitions")], root);
    return { saw, steps, runs: [first, second], untracked: status.split("\n").filter(isOurs), log };
  } finally {
    for (const folder of [...folders, bot]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Servers of plugins are started beside the first turns. */
async function* untilServed(host: WalkedHost, first: Seen): AsyncGenerator<Turn, void, Seen> {
  for (let seen = first, turn = 0; turn < 60 && !seen.tools.join().includes("story_bot"); turn++)
    seen = yield host.shell("node -e 'setTimeout(() => undefined, 500)'");
}

/** Installs the plugin or extension at the root of Waymark's own package in a project that `init` never saw, and opens a bot with it. */
export async function walkOwnPlugin(host: WalkedHost): Promise<{ readonly opened: string; readonly run: HostResult }> {
  const [home = "", out = ""] = await Promise.all(
    ["home", "out"].map((name) => mkdtemp(join(tmpdir(), `waymark-own-plugin-${name}-`))),
  );
  const root = await makeWalkedProject();
  // Codex starts the command `waymark`.
  const PATH = [join(out, "bin"), join(home, "tools")].join(delimiter);
  const launch: WalkedHost["launch"] = async (given, at, url) => {
    const { args, env } = await host.launch(given, at, url);
    return { args, env: { ...env, PATH } };
  };
  try {
    execFileSync("npm", ["pack", "--pack-destination", out, "--silent", "--ignore-scripts"], { stdio: "ignore" });
    execFileSync("tar", ["xzf", join(out, "waymark-0.1.0.tgz"), "-C", out]);
    await mkdir(join(out, "bin"));
    await symlink(join(out, "package/dist/waymark.js"), join(out, "bin/waymark"));
    for (const words of ownInstallLines(host, join(out, "package"))) await runWords(host, words, root, home);
    let opened = "";
    const run = await runHost(
      { ...host, launch },
      {
        root,
        home,
        mcpCommand: ["none"],
        prompt: "Let us write user stories.",
        script: async function* (seen: Seen) {
          yield* untilServed(host, seen);
          opened = last(yield { call: "story_bot", with: {} });
          return "That is all.";
        },
      },
    );
    return { opened, run };
  } finally {
    for (const folder of [home, out, root]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ownInstallLines({ client }: WalkedHost, folder: string): readonly (readonly string[])[] {
  if (client === "gemini") return [["extensions", "install", folder]];
  const install =
    client === "claude" ? ["install", "waymark@waymark", "--scope", "project"] : ["add", "waymark@waymark"];
  return [
    ["plugin", "marketplace", "add", folder],
    ["plugin", ...install],
  ];
}

type Places = { readonly bot: string; readonly plugin: string; readonly root: string; readonly home: string };

/** Runs what `generate` says to run, line by line. */
async function generateAndInstall(host: WalkedHost, { bot, plugin, root, home }: Places): Promise<void> {
  const { code, stdout, stderr } = await runCli(["generate", "story_bot", "--host", host.client, "--out", plugin], bot);
  if (code !== 0) throw new Error(stderr);
  const lines = stdout.split("Install it:\n")[1]?.trim().split("\n") ?? [];
  for (const line of lines) {
    const [program, ...words] = line.trim().split(" ");
    if (program === "npm")
      execFileSync("npm", [...words, "--no-audit", "--no-fund", "--offline"], { cwd: root, stdio: "ignore" });
    else await runWords(host, words, root, home);
  }
}

/** A command of the host that is no conversation. */
async function runWords(host: WalkedHost, words: readonly string[], root: string, home: string): Promise<void> {
  const run = { root, home, mcpCommand: ["none"] as const, prompt: "", input: "y\n", script: neverAsked };
  const { exitCode, stdout, stderr } = await runHost(
    { ...host, launch: async (given, at, url) => ({ ...(await host.launch(given, at, url)), args: words }) },
    run,
  );
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
}

const neverAsked: Script = () => {
  throw new Error("No model is needed to install something.");
};

function raiseVersion(file: string): void {
  const about = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...about, version: "0.2.0" }, null, 2)}\n`);
}

/** What the engine writes, told from what hosts, npm and the person do. */
function isOurs(line: string): boolean {
  return /waymark|workflow_state|activity_log/.test(line);
}
