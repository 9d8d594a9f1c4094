import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Dialect, type Script, type Seen, startModelApi } from "./model-api.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { fillToolFolder } from "./tool-folder.ts";

/** What to run a host with. */
export type HostRun = {
  /** The project folder the host works in. */
  readonly root: string;
  /** The command line of the MCP server, which the host calls `waymark`. */
  readonly mcpCommand: readonly [string, ...string[]];
  /** What the model answers. */
  readonly script: Script;
  /** What the user asks. */
  readonly prompt: string;
  /** The model's name: hosts offer tools differently to different models. */
  readonly model?: string;
};

/** How a host's run ended, and everything its model saw. */
export type HostResult = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly Seen[];
};

/** How one kind of host is started: in an empty home folder, against the model at `url`. */
export type Host = {
  readonly dialect: Dialect;
  /** The host's JavaScript entry, inside `test/hosts/node_modules`. */
  readonly entry: string;
  launch(run: HostRun, home: string, url: string): Promise<{ readonly args: readonly string[]; readonly env: Env }>;
};

type Env = { readonly [name: string]: string };

/** A host that takes longer will never end, however slow the machine. */
const TIME_LIMIT_MS = 240_000;

/** Runs a host's whole agent loop, headless, in a home folder of its own. */
export async function runHost(host: Host, run: HostRun): Promise<HostResult> {
  return atHome(host, run, (args, env) => execute(args, run.root, env));
}

/** Starts a host at a terminal of its own, for a person to sit at, and ends it when they have done what they came for. */
export async function sitAtHost(
  host: Host,
  run: HostRun,
  person: (terminal: Terminal) => Promise<void>,
): Promise<{ readonly requests: readonly Seen[] }> {
  return atHome(host, run, async (args, env) => {
    const terminal = openTerminal({ command: process.execPath, args, cwd: run.root, env });
    try {
      await person(terminal);
      return {};
    } finally {
      await terminal.close();
    }
  });
}

async function atHome<T>(
  host: Host,
  run: HostRun,
  work: (args: readonly string[], env: Env) => Promise<T>,
): Promise<T & { readonly requests: readonly Seen[] }> {
  const entry = fileURLToPath(new URL(`node_modules/${host.entry}`, import.meta.url));
  if (!existsSync(entry)) throw new Error(`${entry} is not there: run \`npm ci --prefix test/hosts\`.`);
  const home = await mkdtemp(join(tmpdir(), "waymark-host-"));
  const model = await startModelApi(host.dialect, run.script);
  try {
    const { args, env } = await host.launch(run, home, model.url);
    // Nothing of our own environment: no key, proxy, setting or tool of the person who runs the tests reaches the host.
    const clean = { PATH: await fillToolFolder(join(home, "tools")), HOME: home, ...env };
    const ended = await work([entry, ...args], clean);
    return { ...ended, requests: model.requests };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await model.close();
  }
}

async function execute(args: readonly string[], cwd: string, env: Env): Promise<Omit<HostResult, "requests">> {
  const child = spawn(process.execPath, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let note = "";
  const timer = setTimeout(() => {
    note = `\nStopped after ${TIME_LIMIT_MS / 1000} s.`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL"); // its own group: what it started, nothing else
  }, TIME_LIMIT_MS);
  try {
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
    ]);
    return { exitCode, stdout, stderr: stderr + note };
  } finally {
    clearTimeout(timer);
  }
}
