import type { ApproverListed } from "../compose-people.ts";
import {
  type CommandListed,
  type Decided,
  differences,
  listCommands,
  type Trust,
  trustHere,
} from "../compose-trust.ts";
import { askPerson, needTerminal } from "./ask-person.ts";
import { UserFault } from "./fault.ts";
import { peoplePlaces } from "./people-places.ts";
import { jsonText, paint, plain, print, printJson } from "./print.ts";
import { approverLine, approversOrNone, trustApprovers } from "./trust-approvers.ts";
import { needDefinitions, type PlaceOptions, placesFor } from "./workplace.ts";

export type TrustOptions = PlaceOptions & {
  readonly yes?: true;
  readonly list?: true;
  readonly revoke?: true;
  readonly json?: true;
};

/** Shows which commands the definitions would have run and whose approval would count, and lets a person trust them on this machine. */
export async function trust(options: TrustOptions): Promise<void> {
  const { root, projectArea = root } = placesFor(options);
  const people = peoplePlaces(options);
  const { definitions } = people;
  const trusted = trustHere(root, projectArea);
  if (options.revoke === true) {
    await trusted.revoke();
    return print("Nothing is trusted on this machine any more.");
  }
  needDefinitions(definitions);
  const commands = await listCommands({ definitions, root, projectArea });
  if (options.json === true || options.list === true) return list(commands, await approversOrNone(people), options);
  await trustCommands(commands, trusted, options);
  await trustApprovers(people, options.yes === true);
}

async function trustCommands(commands: readonly CommandListed[], trusted: Trust, options: TrustOptions): Promise<void> {
  if (commands.length === 0) return print("The definitions run no command.");
  const open = commands.filter((one) => !one.trusted || one.before !== undefined);
  if (open.length === 0)
    return print(`All ${commands.length} command(s) of these definitions are trusted on this machine.`);
  if (options.yes !== true) needTerminal(noTerminal);
  for (const command of open) {
    show(command);
    const word = await wordOn(command, options);
    if (word === undefined) continue;
    const { definition, place, file, name, shown, behind } = command;
    const by = options.yes === true ? "--yes" : "a person at a terminal";
    const decided: Decided = { word, definition, place, file, name, shown, behind, at: new Date().toISOString(), by };
    await trusted.decide(decided).catch((fault: Error) => {
      throw new UserFault(fault.message);
    });
    print(word === "yes" ? paint("green", "Trusted.\n") : paint("yellow", "Not trusted: it is not run.\n"));
  }
}

const noTerminal =
  "Trusting a command takes a person at a terminal: run waymark trust there, or add --yes where you have read waymark trust --list.";

/** What is said to a command; undefined where it stays as it was decided. A person's no stands until they say otherwise themselves. */
async function wordOn({ said }: CommandListed, { yes }: TrustOptions): Promise<Decided["word"] | undefined> {
  if (yes === true && said?.word === "no" && said.by === "a person at a terminal") {
    print(paint("yellow", `Not trusted: a person said no to it at ${said.at}. Run waymark trust at a terminal.\n`));
    return undefined;
  }
  if (yes === true) return "yes";
  return /^y(es)?$/i.test(await askPerson("Trust it on this machine? [y/N] ")) ? "yes" : "no";
}

function list(commands: readonly CommandListed[], approvers: readonly ApproverListed[], { json }: TrustOptions): void {
  if (json === true) {
    printJson({
      commands: commands.map(({ file, line, name, run, trusted }) => ({ file, line, name, run, trusted })),
      approvers: approvers.map(({ approver: { name, key }, trusted }) => ({ name, key, trusted })),
    });
    return;
  }
  if (commands.length === 0) print("The definitions run no command.");
  for (const one of commands) print(listLine(one), ...changes(one));
  for (const one of approvers) print(approverLine(one));
}

function listLine(command: CommandListed): string {
  const { file, line, name, run, trusted } = command;
  const mark = trusted ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  return `${mark}  ${plain(name)}: ${plain(run.join(" "))}  ${paint("dim", `${file}:${line}${decisionOf(command)}`)}`;
}

function decisionOf({ said }: CommandListed): string {
  return said === undefined ? "" : `  (${said.word}, ${said.by}, ${said.at})`;
}

/** Everything that would run, and what it rests on. */
function show(command: CommandListed): void {
  const { file, line, name, shown, behind, said } = command;
  print(`${paint("bold", plain(name))}  ${paint("dim", `${plain(file)}:${line}`)}`);
  for (const [label, value] of [...Object.entries(shown), ...Object.entries(behind)])
    print(`  ${plain(label)}: ${exactly(value)}`);
  print(...changes(command));
  if (said?.word === "no") print(paint("yellow", `  You said no to it at ${said.at}.`));
}

/** What is not as it was when it was trusted. */
function changes({ before, shown, behind }: CommandListed): readonly string[] {
  if (before === undefined) return [];
  const [was, is] = [
    { ...before.shown, ...before.behind },
    { ...shown, ...behind },
  ];
  const lines = differences(was, is).map(
    (label) => `    ${plain(label)}: ${exactly(was[label] ?? "nothing")} → ${exactly(is[label] ?? "nothing")}`,
  );
  return [paint("yellow", `  changed since it was trusted at ${before.at}:`), ...lines];
}

/** A text with everything that nobody sees made visible, however long. */
function exactly(text: string): string {
  return jsonText(text).slice(1, -1).replaceAll('\\"', '"');
}
