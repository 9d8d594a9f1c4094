import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Container, Containment } from "./contain.ts";
import { graceMs, type Job, markerName, type Outcome } from "./job.ts";
import { lastLines } from "./last-lines.ts";
import { ownMark } from "./owner.ts";
import { sweep } from "./sweep.ts";

/** A command as a gate file asks for it, with the values of the variables that it is handed. */
export type Command = Pick<Job, "argv" | "cwd" | "env" | "timeoutMs"> & Partial<Pick<Job, "mostOutput">>;

/** What came of a command, and how it was kept together. */
export type CommandRun = Omit<Outcome, "tail"> & {
  readonly contained: Containment;
  /** The last lines of what it wrote: plain text. */
  readonly output: string;
};

/** Runs commands, each under a supervising process of its own that ends all of it when it is done or this process is gone. */
export type CommandRunner = (command: Command, stop?: AbortSignal) => Promise<CommandRun>;

/** How much a command may write where nobody says, in bytes: it is read and not kept, and a flood must end some time. */
export const mostOutput = 4 * 1024 ** 3;

/** Makes a runner; `supervisor` is the program of the supervising process. */
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
    // Whoever was to end it all is gone, and what it was to end is not.
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
    // A supervisor that is held up holds up nobody else.
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
    child.stdin.on("error", () => {}); // it is gone already, which `close` tells
    child.stdin.write(`${JSON.stringify(job)}\n`);
    if (stop?.aborted === true) end();
    stop?.addEventListener("abort", end, { once: true });
  });
}

const slackMs = 15_000;

/** What our own supervisor says is whole, or it was ended while it said it. */
function parseOutcome(text: string): Outcome | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
