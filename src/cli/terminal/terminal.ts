import { closeSync, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { UserError } from "./user-error.ts";

/** The person's terminal device, independent of pipes. */
export type Terminal = {
  say(...lines: readonly string[]): void;
  /** Asks for a line; returns "" if the person ends the input. */
  ask(question: string): Promise<string>;
  /** Asks for a line without echo. */
  askSecret(question: string): Promise<string>;
  close(): void;
};

/** Opens this process's terminal, or throws if there is none or input is piped. */
export function openTerminal(otherwise: string): Terminal {
  // With piped input, the caller may be reading from the person's terminal itself.
  const fd = process.stdin.isTTY ? openDevice() : undefined;
  if (fd === undefined) throw new UserError(otherwise);
  const input = new ReadStream(fd);
  const out = process.platform === "win32" ? openSync("\\\\.\\CONOUT$", "w") : openSync(device, "w");
  input.setEncoding("utf8").pause();
  let typed = "";
  let hasEnded = false;
  let heard = (): void => undefined;
  input.on("data", (text) => {
    typed += String(text);
    heard();
  });
  for (const end of ["end", "error"] as const)
    input.on(end, () => {
      hasEnded = true;
      heard();
    });

  /** Waits until enough has been typed for an answer. */
  const listen = (read: () => string | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      heard = () => {
        try {
          const answer = hasEnded ? "" : read();
          if (answer === undefined) return;
          resolve(answer);
        } catch (error) {
          reject(error);
        }
        input.pause();
        heard = () => undefined;
      };
      input.resume();
      heard();
    });
  const say = (...lines: readonly string[]): void => void writeSync(out, `${lines.join("\n")}\n`);

  return {
    say,
    ask: (question) => {
      writeSync(out, question);
      return listen(() => {
        const end = typed.search(/[\r\n]/);
        if (end < 0) return undefined;
        const line = typed.slice(0, end);
        typed = typed.slice(end + 1);
        return line.trim();
      });
    },
    askSecret: async (question) => {
      input.setRawMode(true); // before the question, because people type as soon as they see it
      writeSync(out, question);
      try {
        return await listen(() => {
          const read = readSecret(typed);
          if (read === undefined) return undefined;
          typed = read.rest;
          return read.secret;
        });
      } finally {
        input.setRawMode(false);
        say("");
      }
    },
    close: () => {
      input.destroy();
      closeSync(out);
    },
  };
}

/** Reads keys without echo into a line once it ends, and throws if the person cancels. */
function readSecret(keys: string): { readonly secret: string; readonly rest: string } | undefined {
  let secret: string[] = [];
  let at = 0;
  for (const key of keys) {
    at += key.length;
    if (key === "\r" || key === "\n") return { secret: secret.join(""), rest: keys.slice(at) };
    if (key === "\u0003" || key === "\u0004") throw new UserError("Cancelled. Nothing was done.");
    if (key === "\u007f" || key === "\b") secret = secret.slice(0, -1);
    else if (key === "\u0015") secret = [];
    else if (!/\p{Cc}/u.test(key)) secret.push(key);
  }
  return undefined;
}

const device = process.platform === "win32" ? "\\\\.\\CONIN$" : "/dev/tty";

function openDevice(): number | undefined {
  try {
    return openSync(device, "r+");
  } catch {
    return undefined;
  }
}
