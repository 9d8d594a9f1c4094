import { url } from "node:inspector";
import { UserFault } from "./fault.ts";
import type { Terminal } from "./terminal.ts";

/** Asks for a passphrase at the terminal; refuses while something that was set beforehand could read along. */
export async function askPassphrase(terminal: Terminal, question: string): Promise<string> {
  const between = whatReadsAlong(process.env, process.execArgv, url() !== undefined);
  if (between !== undefined)
    throw new UserFault(
      `No passphrase is asked for while ${between}: what is loaded that way could read it. Look where that comes from, and try again without it${/^[A-Z_]+ is set$/.test(between) ? ` (env -u ${between.split(" ")[0]} waymark …)` : ""}.`,
    );
  return terminal.askSecret(question);
}

/** Asks for a new passphrase, twice. */
export async function askNewPassphrase(terminal: Terminal): Promise<string> {
  const passphrase = await askPassphrase(terminal, `A passphrase for it (at least ${shortest} characters): `);
  if ([...passphrase].length < shortest)
    throw new UserFault(`A passphrase has at least ${shortest} characters: no key was made.`);
  if ((await askPassphrase(terminal, "Once more: ")) !== passphrase)
    throw new UserFault("These were two different passphrases: no key was made.");
  return passphrase;
}

/** What could read a passphrase in this very process, as far as that shows; undefined where nothing does. */
export function whatReadsAlong(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  isDebugged: boolean,
): string | undefined {
  const variable = loading.find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) return `${variable} is set`;
  const option = args.find((arg) => /^(?:-r|--require|--import|--loader|--experimental-loader|--inspect)/.test(arg));
  if (option !== undefined) return `node runs with ${option.split("=")[0]}`;
  return isDebugged ? "a debugger is attached" : undefined;
}

/** Variables that have a program load code of somebody else's. */
const loading = ["NODE_OPTIONS", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"];

const shortest = 8;
