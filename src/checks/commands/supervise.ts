import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { followOutput } from "./command-output.ts";
import { type CommandEnding, graceMs, type Job, markerName, type Outcome } from "./supervised-job.ts";
import { sweep } from "./sweep.ts";

/** Runs one command and kills all of it: at its time limit, when it is done, and when standard input ends because the server is gone. */
async function supervise(job: Job, abandoned: Promise<void>): Promise<Outcome> {
  const start = performance.now();
  const { child, fault } = begin(job);
  if (child === undefined) return { ending: "not started", exit: null, signal: null, milliseconds: 0, tail: "", fault };
  const output = followOutput(child, job.mostOutput);
  const ended = new Promise<{ exit: number | null; signal: string | null; fault?: string }>((resolve) => {
    child.once("exit", (exit, signal) => resolve({ exit, signal })); // not `close`: a detached grandchild holds the pipe open
    child.once("error", ({ message }) => resolve({ exit: null, signal: null, fault: message }));
  });
  const ending = await Promise.race<CommandEnding>([
    ended.then(({ fault: failed }) => (failed === undefined ? "exited" : "not started")),
    pause(job.timeoutMs, "timed out" as const, { ref: false }),
    output.flooded.then(() => "flooded" as const),
    abandoned.then(() => "abandoned" as const),
  ]);
  const milliseconds = performance.now() - start;
  if (ending === "timed out" || ending === "flooded") await endGently(child, ended, abandoned);
  signalGroup(child, "SIGKILL");
  const how = await ended;
  // A namespace ends with its supervisor.
  if (!job.isAlone) await sweep((marker) => marker === job.env[markerName]);
  if (ending !== "abandoned") await output.drained();
  return { ...how, ending, milliseconds, tail: output.tail() };
}

function begin({ argv: [program, ...args], cwd, env }: Job): { child?: ChildProcess; fault: string } {
  try {
    closeInherited();
    return { child: spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true }), fault: "" };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Closes inherited descriptors, which the command must not see. */
function closeInherited(): void {
  for (const fd of descriptors()) {
    try {
      const [, flags = "0"] = /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
      if ((Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(fd);
    } catch {
      // already closed
    }
  }
}

function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2);
  } catch {
    return [];
  }
}

/** Node opens every file with this flag. */
const closeOnExec = 0o2000000;

async function endGently(child: ChildProcess, ...reasons: readonly Promise<unknown>[]): Promise<void> {
  signalGroup(child, "SIGTERM");
  await Promise.race([...reasons, pause(graceMs)]);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // no process left
  }
}

/** The first line is the job; the end of the input means the server is gone. */
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
