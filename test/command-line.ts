import { spawn } from "node:child_process";
import { join } from "node:path";
import { program } from "../src/cli/program.ts";
import { describeError } from "../src/cli/terminal/user-error.ts";
import { transport } from "./doors.ts";

/** The command a user runs. */
export const waymark = join(import.meta.dirname, "../dist/waymark.js");

/** What a command said, and what it exits with. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Where a command is run, and what is in its environment besides what is in ours. */
type Surroundings = readonly [cwd?: string, env?: Readonly<Record<string, string>>];

/**
 * Runs a command to its end in this process: all that `src/cli/main.ts` does but for the process itself. One at a time,
 * since what is printed, the exit code and the current folder belong to the process.
 */
export function runCli(args: readonly string[], ...surroundings: Surroundings): Promise<Ended> {
  const ended = last.then(() => runHere(args, ...surroundings));
  last = ended.catch(() => undefined);
  return ended;
}

let last: Promise<unknown> = Promise.resolve();

/** The same with the command a user runs, as it was built, in a process of its own. */
export function runProcess(args: readonly string[], ...[cwd, env = {}]: Surroundings): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [waymark, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

async function runHere(args: readonly string[], ...[cwd, env = {}]: Surroundings): Promise<Ended> {
  const { stdout, stderr, exit, exitCode } = process;
  const home = process.cwd();
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  const said = { stdout: listenTo(stdout), stderr: listenTo(stderr) };
  Object.assign(process.env, env);
  process.exitCode = undefined;
  process.exit = (code) => {
    throw new Exit(Number(code ?? process.exitCode ?? 0));
  };
  let code = 0;
  try {
    if (cwd !== undefined) process.chdir(cwd);
    await program.parseAsync([...args, ...(await where(args, cwd))], { from: "user" });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exit)) process.stderr.write(`waymark: ${describeError(error)}\n`);
    code = error instanceof Exit ? error.code : 1;
  } finally {
    process.chdir(home);
    process.exit = exit;
    process.exitCode = exitCode;
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
  return { code, stdout: said.stdout.stop(), stderr: said.stderr.stop() };
}

/** Where windows are over HTTP on a database, commands about the same root look there too. */
async function where(args: readonly string[], cwd: string | undefined): Promise<readonly string[]> {
  const root = args.includes("--root") ? args[args.indexOf("--root") + 1] : cwd;
  const isAboutHistories = historyCommands.includes(args[0] ?? "") && !args.includes("--store");
  if (transport !== "http-postgres" || root === undefined || !isAboutHistories) return [];
  return (await import("./remote.ts")).storeArgs(root);
}

const historyCommands = [
  "status",
  "log",
  "back",
  "update",
  "verify",
  "show",
  "approve",
  "reject",
  "archive",
  "export",
  "search",
];

class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** Keeps what is written to a stream instead of writing it. */
function listenTo(stream: NodeJS.WriteStream): { stop(): string } {
  const write = stream.write;
  let heard = "";
  stream.write = (chunk: Uint8Array | string) => {
    heard += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return true;
  };
  return {
    stop() {
      stream.write = write;
      return heard;
    },
  };
}
