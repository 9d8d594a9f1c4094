import type { PeoplePlaces } from "../../app/list-approvers.ts";
import {
  type CommandTrust,
  differences,
  type ListedCommand,
  listCommands,
  machineTrust,
  mainArea,
  type TrustDecision,
} from "../../app/trust-commands.ts";
import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { jsonText, oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor, requireDefinitions } from "../terminal/workplace-options.ts";
import { approverPlaces } from "./approver-places.ts";
import { askPerson, needTerminal } from "./ask-person.ts";
import { approverLine, listApproversOrWarn, trustApprovers } from "./trust-approvers.ts";
import { listRunnersOrWarn, runnerLine, trustRunners } from "./trust-runners.ts";
import { listWebhooks, trustWebhooks, type Webhooks, webhookLine } from "./trust-webhooks.ts";

export type TrustOptions = PlaceOptions & {
  readonly yes?: true;
  readonly list?: true;
  readonly revoke?: true;
  readonly json?: true;
};

/** Shows the commands, approvers, runners and webhooks of the definitions, and lets a person trust them on this machine. */
export async function trust(options: TrustOptions): Promise<void> {
  const { root, projectArea = root } = placesFor(options);
  const people = approverPlaces(options);
  const { definitions } = people;
  const trusted = machineTrust(root, projectArea);
  if (options.revoke === true) {
    await trusted.revoke();
    return print("Everything is revoked: nothing is trusted on this machine.");
  }
  const commands = await listCommands({ definitions, root, projectArea });
  requireDefinitions(definitions, commands.length > 0); // team servers ask for commands too
  const webhooks = await listWebhooks(options);
  if (options.json === true || options.list === true) return list(commands, people, webhooks, options);
  await trustCommands(commands, trusted, options);
  await trustApprovers(people, options.yes === true);
  await trustRunners(people, options.yes === true);
  const area = await mainArea(projectArea);
  await trustWebhooks(webhooks, { area, trust: trusted, isUnattended: options.yes === true });
}

async function trustCommands(
  commands: readonly ListedCommand[],
  trusted: CommandTrust,
  options: TrustOptions,
): Promise<void> {
  if (commands.length === 0) return print("The definitions run no commands.");
  const open = commands.filter((one) => !one.trusted || one.before !== undefined);
  if (open.length === 0)
    return print(`Every command of these definitions is trusted on this machine (${commands.length}).`);
  if (options.yes !== true) needTerminal(noTerminalText);
  for (const [command, ...others] of sameCommands(open)) {
    printCommand(command, others);
    const word = await decideCommand(command, options);
    if (word === undefined) continue;
    const by = options.yes === true ? "--yes" : "a person at a terminal";
    for (const { definition, place, file, name, shown, behind } of [command, ...others]) {
      const decided: TrustDecision = {
        ...{ word, definition, place, file, name, shown, behind, by },
        at: new Date().toISOString(),
      };
      await trusted.decide(decided).catch((fault: Error) => {
        throw new UserError(fault.message);
      });
    }
    print(word === "yes" ? paint("green", "Trusted.\n") : paint("yellow", "Not trusted: Waymark will not run it.\n"));
  }
}

/** Groups commands that are the same in all that decides what runs, so that a person is asked once. */
function sameCommands(
  commands: readonly ListedCommand[],
): readonly (readonly [ListedCommand, ...(readonly ListedCommand[])])[] {
  const groups = new Map<string, [ListedCommand, ...ListedCommand[]]>();
  for (const command of commands) {
    const { place, shown, behind, before, said } = command;
    const key = JSON.stringify([place, shown, behind, before?.shown, before?.behind, said?.word, said?.by]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [command]);
    else known.push(command);
  }
  return [...groups.values()];
}

const noTerminalText =
  "Trusting a command needs a terminal. Run waymark trust in your own terminal, or read waymark trust --list and add --yes.";

/** Returns the decision about a command, or undefined to keep the earlier one; a person's no holds until they change it. */
async function decideCommand(
  { said }: ListedCommand,
  { yes }: TrustOptions,
): Promise<TrustDecision["word"] | undefined> {
  if (yes === true && said?.word === "no" && said.by === "a person at a terminal") {
    print(
      paint("yellow", `Not trusted: a person rejected it at ${localTime(said.at)}. Run waymark trust in a terminal.\n`),
    );
    return undefined;
  }
  if (yes === true) return "yes";
  const word = await askPerson("Enter means not now. Trust it on this machine? [y/N] ");
  if (/^y(es)?$/i.test(word)) return "yes";
  if (/^no?$/i.test(word)) return "no";
  print(paint("yellow", "Not now: Waymark will not run it, and asks again next time.\n"));
  return undefined;
}

async function list(
  commands: readonly ListedCommand[],
  people: PeoplePlaces,
  webhooks: Webhooks,
  { json }: TrustOptions,
): Promise<void> {
  const approvers = await listApproversOrWarn(people);
  const runners = await listRunnersOrWarn(people);
  if (json === true) {
    const listed = runners.map(({ runner: { name, key }, level }) => ({
      name,
      key,
      trusted: level !== undefined,
      ...defined({ level }),
    }));
    printJson({
      commands: commands.map(({ file, line, name, run, trusted }) => ({ file, line, name, run, trusted })),
      approvers: approvers.map(({ approver: { name, key }, trusted }) => ({ name, key, trusted })),
      ...(runners.length === 0 ? {} : { runners: listed }),
      ...(webhooks.configured.length === 0
        ? {}
        : {
            webhooks: webhooks.configured.map((one) => ({
              ...defined({ url: one.url, url_env: one.urlEnv }),
              ...{ format: one.format, trusted: webhooks.trusted.includes(one) },
            })),
          }),
    });
    return;
  }
  if (commands.length === 0) print("The definitions run no commands.");
  for (const one of commands) print(listLine(one), ...changeLines(one));
  for (const one of approvers) print(approverLine(one));
  for (const one of runners) print(runnerLine(one));
  for (const one of webhooks.configured) print(webhookLine(one, webhooks));
}

function listLine(command: ListedCommand): string {
  const { file, line, name, run, trusted } = command;
  const mark = trusted ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  return `${mark}  ${oneLine(name)}: ${oneLine(run.join(" "))}  ${paint("dim", `${file}:${line}${decisionOf(command)}`)}`;
}

function decisionOf({ said }: ListedCommand): string {
  return said === undefined ? "" : `  (${said.word}, ${said.by}, ${localTime(said.at)})`;
}

/** Prints a command with everything it depends on. */
function printCommand(command: ListedCommand, others: readonly ListedCommand[]): void {
  const { name, shown, behind, said } = command;
  const places = [command, ...others].map(({ file, line }) => `${oneLine(file)}:${line}`);
  print(`${paint("bold", oneLine(name))}  ${paint("dim", places.join(", "))}`);
  for (const [label, value] of [...Object.entries(shown), ...Object.entries(behind)])
    print(`  ${oneLine(label)}: ${showInvisible(value)}`);
  print(...changeLines(command));
  if (said?.word === "no") print(paint("yellow", `  You rejected it at ${localTime(said.at)}.`));
}

/** Lists what changed since the command was trusted. */
function changeLines({ before, shown, behind }: ListedCommand): readonly string[] {
  if (before === undefined) return [];
  const [was, is] = [
    { ...before.shown, ...before.behind },
    { ...shown, ...behind },
  ];
  const lines = differences(was, is).map(
    (label) => `    ${oneLine(label)}: ${showInvisible(was[label] ?? "none")} → ${showInvisible(is[label] ?? "none")}`,
  );
  return [paint("yellow", `  changed since it was trusted at ${localTime(before.at)}:`), ...lines];
}

/** Makes invisible characters visible. */
function showInvisible(text: string): string {
  return jsonText(text).slice(1, -1).replaceAll('\\"', '"');
}
