import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Container, Containment } from "./container.ts";
import { lastLines } from "./last-lines.ts";
import { ownMark } from "./process-mark.ts";
import { graceMs, type Job, markerName, type Outcome } from "./supervised-job.ts";
import { sweep } from "./sweep.ts";

/** A command from a gate file, with the values of its variables. */
export type Command = Pick<Job, "argv" | "cwd" | "env" | "timeoutMs"> & Partial<Pick<Job, "mostOutput">>;

/** The result of a command, and how it was contained. */
export type CommandRun = Omit<Outcome, "tail"> & {
  readonly contained: Containment;
  /** The last lines of its output as plain text. */
  readonly output: string;
};

/** Runs each command under its own supervisor, which kills it when it is done or this process dies. */
export type CommandRunner = (command: Command, stop?: AbortSignal) => Promise<CommandRun>;

/** The default output limit in bytes: output is read but not kept, and a flood must end. */
export const mostOutput = 4 * 1024 ** 3;

/** Makes a runner; `supervisor` is the supervisor's program. */
export function commandRunner(supervisor: string, container: Container): CommandRunner {
  return async (command, stop) => {
    const marker = `${await ownMark()}.${randomUUID()}`;
    const env = { ...command.env, [markerName]: marker };
    const isAlone = container.kind === "namespace";
    const outcome = await supervised(
      [...container.before, process.execPath, supervisor],
      { mostOutput, ...command, env, isAlone },
      stop,
    );
    // The supervisor died, so its processes are still running.
    if (outcome.ending === "lost") await sweep((one) => one === marker);
    const { tail, ...rest } = outcome;
    return { ...rest, contained: container.kind, output: lastLines(tail) };
  };
}

function supervised([program = "", ...args]: readonly string[], job: Job, stop?: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const start = performance.now();
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, [markerName]: job.env[markerName] };
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env });
    let said = "";
    const none = (ending: "not started" | "lost", fault: string): void => {
      const milliseconds = performance.now() - start;
      resolve({ ending, exit: null, signal: null, milliseconds, tail: "", fault });
    };
    // A stuck supervisor must not block others.
    const late = setTimeout(() => child.kill("SIGKILL"), job.timeoutMs + graceMs + slackMs);
    const end = (): void => void child.stdin.end();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("error", ({ message }) => none("not started", message));
    child.once("close", (exit, signal) => {
      clearTimeout(late);
      stop?.removeEventListener("abort", end);
      const outcome = parseOutcome(said);
      if (outcome === undefined) none("lost", `its supervisor ended with ${signal ?? exit}`);
      else resolve(outcome);
    });
    child.stdin.on("error", () => {}); // it has already exited, which `close` reports
    child.stdin.write(`${JSON.stringify(job)}\n`);
    if (stop?.aborted === true) end();
    stop?.addEventListener("abort", end, { once: true });
  });
}

const slackMs = 15_000;

/** Parses our supervisor's answer; incomplete if it was killed while writing. */
function parseOutcome(text: string): Outcome | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
