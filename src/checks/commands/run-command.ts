import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { type Container, type Containment, findContainer } from "./contain.ts";
import { type Job, markerName, type Outcome } from "./job.ts";
import { ownerMark } from "./sweep.ts";

/** A command as a gate file asks for it, with the values of the variables that it is handed. */
export type Command = Omit<Job, "isInit">;

/** What came of a command, and how it was kept together. */
export type CommandRun = Omit<Outcome, "tail"> & {
  readonly contained: Containment;
  /** The last lines of what it wrote: plain text. */
  readonly output: string;
};

/** Runs commands, each under a supervising process of its own that ends all of it when it is done or this process is gone. */
export type CommandRunner = (command: Command, stop?: AbortSignal) => Promise<CommandRun>;

/** Makes a runner; `supervisor` is the program of the supervising process. */
export function commandRunner(supervisor: string, container: Container = findContainer()): CommandRunner {
  const isInit = container.kind === "namespace";
  return async (command, stop) => {
    const env = { ...command.env, [markerName]: `${ownerMark() ?? process.pid}.${randomUUID()}` };
    const outcome = await supervised(
      [...container.before, process.execPath, supervisor],
      { ...command, env, isInit },
      stop,
    );
    const { tail, ...rest } = outcome;
    return { ...rest, contained: container.kind, output: lastLines(tail) };
  };
}

function supervised([program = "", ...args]: readonly string[], job: Job, stop?: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const { PATH, HOME } = process.env;
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env: { PATH, HOME } });
    let said = "";
    const lost = (fault: string): Outcome => ({
      ending: "not started",
      exit: null,
      signal: null,
      milliseconds: 0,
      tail: "",
      fault,
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("error", ({ message }) => resolve(lost(message)));
    child.once("close", (_exit, signal) => {
      resolve(
        parseOutcome(said) ?? lost(`its supervisor ended without a word${signal === null ? "" : ` (${signal})`}`),
      );
    });
    child.stdin.on("error", () => {}); // it is gone already, which `close` tells
    child.stdin.write(`${JSON.stringify(job)}\n`);
    const end = (): void => void child.stdin.end();
    if (stop?.aborted === true) end();
    stop?.addEventListener("abort", end, { once: true });
  });
}

function parseOutcome(text: string): Outcome | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At most so many characters of output, from the beginning of a line, without colours and other controls. */
function lastLines(tail: string): string {
  const text = stripVTControlCharacters(tail)
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/g, "")
    .trimEnd();
  if (text.length <= mostCharacters) return text;
  const end = text.slice(-mostCharacters);
  const line = end.indexOf("\n");
  return line === -1 || line > mostCharacters / 2 ? end : end.slice(line + 1);
}

const mostCharacters = 1500;
