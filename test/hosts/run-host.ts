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
  /** A server on the network instead, and the token for it, where the host can; without one it has signed in. */
  readonly mcpUrl?: { readonly url: string; readonly token?: string };
  /** What the model answers. */
  readonly script: Script;
  /** What the model answers as a sub-agent, where the host has them. */
  readonly agent?: Script;
  /** What the user asks. */
  readonly prompt: string;
  /** The model's name: hosts offer tools differently to different models. */
  readonly model?: string;
  /** The home folder of an earlier run; without it the host gets an empty one that goes with the run. */
  readonly home?: string;
  /** Goes on with the conversation that the home folder knows. */
  readonly resume?: true;
  /** What a person types, where a command asks. */
  readonly input?: string;
  /** In the host's own window, where a person sits. */
  readonly seated?: true;
  /** Kills the host, and all that it started, when this says so. */
  readonly killed?: AbortSignal;
};

/** How a host's run ended, and everything its model saw. */
export type HostResult = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly Seen[];
  /** How often the host had its conversation summed up. */
  readonly summaries: number;
};

/** How one kind of host is started: in an empty home folder, against the model at `url`. */
export type Host = {
  readonly dialect: Dialect;
  /** The host's JavaScript entry, inside `test/hosts/node_modules`, or `more/node_modules` beside it. */
  readonly entry: string;
  readonly isMore?: true;
  /** The entry is a program by itself. */
  readonly isProgram?: true;
  launch(run: HostRun, home: string, url: string): Promise<{ readonly args: readonly string[]; readonly env: Env }>;
};

type Env = { readonly [name: string]: string };

/** A host that takes longer will never end, however slow the machine. */
const TIME_LIMIT_MS = 240_000;

/** Runs a host's whole agent loop, headless, in a home folder of its own. */
export async function runHost(host: Host, run: HostRun): Promise<HostResult> {
  return atHome(host, run, (command, env) => execute(command, run, env));
}

/** Starts a host at a terminal of its own, for a person to sit at, and ends it when they have done what they came for. */
export async function sitAtHost(
  host: Host,
  run: HostRun,
  person: (terminal: Terminal) => Promise<void>,
): Promise<{ readonly requests: readonly Seen[]; readonly summaries: number }> {
  return atHome(host, { ...run, seated: true }, async ([command, ...args], env) => {
    const terminal = openTerminal({ command, args, cwd: run.root, env });
    try {
      await person(terminal);
      return {};
    } finally {
      await terminal.close();
    }
  });
}

type Command = readonly [string, ...string[]];

async function atHome<T>(
  host: Host,
  run: HostRun,
  work: (command: Command, env: Env) => Promise<T>,
): Promise<T & { readonly requests: readonly Seen[]; readonly summaries: number }> {
  const folder = host.isMore === true ? "more/" : "";
  const entry = fileURLToPath(new URL(`${folder}node_modules/${host.entry}`, import.meta.url));
  if (!existsSync(entry)) throw new Error(`${entry} is not there: run \`npm ci --prefix test/hosts/${folder}\`.`);
  const home = run.home ?? (await mkdtemp(join(tmpdir(), "waymark-host-")));
  const model = await startModelApi(host.dialect, run.script, run.agent);
  try {
    const { args, env } = await host.launch(run, home, model.url);
    // Nothing of our own environment: no key, proxy, setting or tool of the person who runs the tests reaches the host.
    const clean = { PATH: await fillToolFolder(join(home, "tools")), HOME: home, ...nowhere(model.url), ...env };
    const started: Command = host.isProgram === true ? [entry] : [process.execPath, entry];
    const ended = await work([...started, ...args], clean);
    return { ...ended, requests: model.requests, summaries: model.summaries() };
  } finally {
    if (run.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await model.close();
  }
}

/** Whatever a host wants of the network, it is sent to the loopback for it, where nobody passes it on. */
function nowhere(url: string): Env {
  return { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "127.0.0.1,localhost" };
}

type Ended = Omit<HostResult, "requests" | "summaries">;

async function execute([command, ...args]: Command, { root: cwd, killed, input }: HostRun, env: Env): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined); // it may have ended without reading
  child.stdin.end(input);
  let note = "";
  const kill = (why: string): void => {
    note = why;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL"); // its own group: what it started, nothing else
  };
  const timer = setTimeout(() => kill(`\nStopped after ${TIME_LIMIT_MS / 1000} s.`), TIME_LIMIT_MS);
  killed?.addEventListener("abort", () => kill("\nKilled."));
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
