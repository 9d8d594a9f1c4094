import { createInterface } from "node:readline/promises";
import { type CommandListed, listCommands, trustHere } from "../compose-trust.ts";
import { UserFault } from "./fault.ts";
import { paint, plain, print, printJson } from "./print.ts";
import { type PlaceOptions, placesFor, workplaceFor } from "./workplace.ts";

export type TrustOptions = PlaceOptions & {
  readonly yes?: true;
  readonly list?: true;
  readonly revoke?: true;
  readonly json?: true;
};

/** Shows which commands the definitions would have run, and lets a person trust them on this machine. */
export async function trust(options: TrustOptions): Promise<void> {
  const { root, projectArea = root } = placesFor(options);
  const workplace = workplaceFor(options);
  const { definitions } = workplace;
  workplace.close();
  const trusted = trustHere();
  if (options.revoke === true) {
    await trusted.revoke();
    return print("Nothing is trusted on this machine any more.");
  }
  const commands = await listCommands(definitions, projectArea, trusted);
  if (options.json === true || options.list === true) return list(commands, options);
  const fresh = commands.filter((one) => !one.trusted);
  if (commands.length === 0) return print("The definitions have no command run.");
  if (fresh.length === 0)
    return print(`All ${commands.length} command(s) of these definitions are trusted on this machine.`);
  for (const command of fresh) {
    show(command);
    const isTrusted = options.yes === true || (await ask(`Trust it on this machine? [y/N] `));
    if (!isTrusted) {
      print(paint("yellow", "Not trusted: it is not run.\n"));
      continue;
    }
    const { definition, name, run } = command;
    await trusted.add([{ definition, name, run, at: new Date().toISOString() }]);
    print(paint("green", "Trusted.\n"));
  }
}

function list(commands: readonly CommandListed[], { json }: TrustOptions): void {
  const shown = commands.map(({ file, line, name, run, trusted }) => ({ file, line, name, run, trusted }));
  if (json === true) printJson({ commands: shown, approvers: [] });
  else if (shown.length === 0) print("The definitions have no command run.");
  else for (const one of shown) print(listLine(one));
}

function listLine({
  file,
  line,
  name,
  run,
  trusted,
}: Omit<CommandListed, "cwd" | "env" | "pins" | "definition">): string {
  const mark = trusted ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  return `${mark}  ${plain(name)}: ${plain(run.join(" "))}  ${paint("dim", `${file}:${line}`)}`;
}

/** Everything that would run, and what it rests on. */
function show({ file, line, name, run, cwd, env, pins }: CommandListed): void {
  print(
    `${paint("bold", plain(name))}  ${paint("dim", `${file}:${line}`)}`,
    `  runs   ${run.map((one) => JSON.stringify(one)).join(" ")}`,
    `  in     ${cwd}`,
  );
  if (env.length > 0) print(`  reads  ${env.join(", ")} of your environment`);
  for (const { pin, value } of pins) print(`  pin    ${plain(pin)} = ${plain(value).slice(0, 500)}`);
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserFault(
      "Trusting a command takes a person at a terminal: run waymark trust there, or add --yes where you have read the list.",
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(question));
  } finally {
    terminal.close();
  }
}
