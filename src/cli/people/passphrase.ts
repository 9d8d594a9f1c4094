import { url } from "node:inspector";
import type { Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";

/** Asks for a passphrase at the terminal; refuses if injected code could read it. */
export async function askPassphrase(terminal: Terminal, question: string): Promise<string> {
  const between = findEavesdropper(process.env, process.execArgv, url() !== undefined);
  if (between !== undefined)
    throw new UserError(
      `Waymark does not ask for a passphrase while ${between}, because code loaded that way could read it. Find where that comes from and try again without it${/^[A-Z_]+ is set$/.test(between) ? ` (env -u ${between.split(" ")[0]} waymark …)` : ""}.`,
    );
  return terminal.askSecret(question);
}

/** Asks for a new passphrase, twice. */
export async function askNewPassphrase(terminal: Terminal): Promise<string> {
  const passphrase = await askPassphrase(
    terminal,
    `Choose a passphrase (at least ${minPassphraseLength} characters): `,
  );
  if ([...passphrase].length < minPassphraseLength)
    throw new UserError(`The passphrase is too short: at least ${minPassphraseLength} characters. No key was created.`);
  if ((await askPassphrase(terminal, "Repeat it: ")) !== passphrase)
    throw new UserError("The passphrases differ. No key was created.");
  return passphrase;
}

/** Names what could read a passphrase in this process, or returns undefined. */
export function findEavesdropper(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  isDebugged: boolean,
): string | undefined {
  const variable = preloadVariables.find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) return `${variable} is set`;
  const option = args.find((arg) => /^(?:-r|--require|--import|--loader|--experimental-loader|--inspect)/.test(arg));
  if (option !== undefined) return `node runs with ${option.split("=")[0]}`;
  return isDebugged ? "a debugger is attached" : undefined;
}

/** Variables that make a program load foreign code. */
const preloadVariables = ["NODE_OPTIONS", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"];

const minPassphraseLength = 8;
