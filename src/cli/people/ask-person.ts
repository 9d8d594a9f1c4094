import { createInterface } from "node:readline/promises";
import { UserError } from "../terminal/user-error.ts";

/** Throws unless a person can be asked at a terminal. */
export function needTerminal(otherwise: string): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UserError(otherwise);
}

/** Asks the person at the terminal; returns "" if they end the input. */
export async function askPerson(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => {
    terminal.once("close", () => resolve(""));
  });
  try {
    return (await Promise.race([terminal.question(question), ended])).trim();
  } finally {
    terminal.close();
  }
}
