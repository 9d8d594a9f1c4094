import { createInterface } from "node:readline/promises";
import { UserFault } from "./fault.ts";

/** Makes sure that a person can be asked; what is piped in is no person. */
export function needTerminal(otherwise: string): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UserFault(otherwise);
}

/** Asks the person at the terminal; one who ends the input instead of answering has said nothing. */
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
