import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type Ending, type Job, markerName, type Outcome } from "./job.ts";
import { sweep } from "./sweep.ts";

/**
 * A process of its own that runs one command and ends all of it: at its time limit, when it is done, and when the
 * server that asked is gone, which the end of standard input tells.
 */
async function supervise(job: Job, abandoned: Promise<void>): Promise<Outcome> {
  const start = performance.now();
  const { child, fault } = begin(job);
  if (child === undefined) return { ending: "not started", exit: null, signal: null, milliseconds: 0, tail: "", fault };
  const output = follow(child);
  const ended = new Promise<{ exit: number | null; signal: string | null; fault?: string }>((resolve) => {
    child.once("exit", (exit, signal) => resolve({ exit, signal })); // not `close`: a detached grandchild holds the pipe open
    child.once("error", ({ message }) => resolve({ exit: null, signal: null, fault: message }));
  });
  const ending = await Promise.race<Ending>([
    ended.then(({ fault: failed }) => (failed === undefined ? "exited" : "not started")),
    pause(job.timeoutMs, "timed out" as const, { ref: false }),
    output.flooded.then(() => "flooded" as const),
    abandoned.then(() => "abandoned" as const),
  ]);
  const milliseconds = performance.now() - start;
  if (ending !== "exited" && ending !== "not started") await endGently(child, ended);
  const how = await ended;
  await endRest(job, child);
  return { ...how, ending, milliseconds, tail: output.tail() };
}

function begin({ argv: [program, ...args], cwd, env }: Job): { child?: ChildProcess; fault: string } {
  try {
    const stdio = ["ignore" as const, "pipe" as const, "pipe" as const, ...closedBeyond()];
    return { child: spawn(program, args, { cwd, env, stdio, detached: true }), fault: "" };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** What this process inherited open is none of the command's business: each such place is taken by nothing. */
function closedBeyond(): "ignore"[] {
  try {
    const inherited = readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2 && fd < 1024 && isInherited(fd));
    return Array.from({ length: Math.max(2, ...inherited) - 2 }, () => "ignore" as const);
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  const [, flags = "0"] = /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
  return (Number.parseInt(flags, 8) & closeOnExec) === 0;
}

const closeOnExec = 0o2000000;

/** Keeps the end of what a command writes, and tells when it is too much. */
function follow({ stdout, stderr }: ChildProcess): { tail(): string; readonly flooded: Promise<void> } {
  let pieces: Buffer[] = [];
  let kept = 0;
  let written = 0;
  let flood = (): void => {};
  const flooded = new Promise<void>((resolve) => {
    flood = resolve;
  });
  const take = (piece: Buffer): void => {
    written += piece.length;
    kept += piece.length;
    pieces.push(piece);
    if (kept > 4 * tailBytes) {
      pieces = [Buffer.concat(pieces).subarray(-tailBytes)];
      kept = tailBytes;
    }
    if (written > mostOutput) flood();
  };
  stdout?.on("data", take);
  stderr?.on("data", take);
  return { flooded, tail: () => Buffer.concat(pieces).subarray(-tailBytes).toString("utf8") };
}

const tailBytes = 32 * 1024;
const mostOutput = 256 * 1024 * 1024;

async function endGently(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signalGroup(child, "SIGTERM");
  await Promise.race([ended, pause(graceMs)]);
  signalGroup(child, "SIGKILL");
}

const graceMs = 2000;

/** Whatever the command left running ends with it. */
async function endRest({ isInit, env }: Job, child: ChildProcess): Promise<void> {
  signalGroup(child, "SIGKILL");
  if (isInit) return; // the namespace ends with its first process, and everything in it
  const own = env[markerName];
  await sweep((marker) => marker === own);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // nobody is left
  }
}

/** The first line is the job, and the end of the input the end of the server. */
const lines = createInterface({ input: process.stdin });
const abandoned = new Promise<void>((resolve) => lines.once("close", resolve));
lines.once("line", (line) => {
  const job: Job = JSON.parse(line);
  void supervise(job, abandoned).then((outcome) => {
    process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit());
  });
});
process.on("SIGTERM", () => lines.close());
process.on("SIGINT", () => lines.close());
