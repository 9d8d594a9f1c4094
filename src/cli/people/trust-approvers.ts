import {
  type ListedApprover,
  listApprovers,
  machineTrustedApprovers,
  type PeoplePlaces,
} from "../../app/list-approvers.ts";
import { countText } from "../../kit/count-text.ts";
import { localTime } from "../../kit/local-time.ts";
import { ownKeys } from "../../people/own-keys.ts";
import type { SealedKey } from "../../people/sealed-key.ts";
import { paint, print } from "../terminal/print.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { openKeyOrThrow } from "./choose-key.ts";

/** Shows the approvers and lets a person at a terminal trust them on this machine. */
export async function trustApprovers(places: PeoplePlaces, isUnattended: boolean): Promise<void> {
  const listed = await listApproversOrWarn(places);
  const open = listed.filter(({ trusted }) => !trusted);
  if (listed.length === 0) return;
  if (open.length === 0) return print(`Every approver is trusted on this machine (${listed.length}).`);
  if (isUnattended)
    return print(`${countText(open.length, "approver is", "approvers are")} not trusted: ${noTerminalText}`);
  const own = await ownKeys();
  const terminal = openTerminal(noTerminalText);
  try {
    const isOwn = ({ approver }: ListedApprover): boolean => own.some(({ key }) => key === approver.key);
    // Once a person's own key is trusted here, adding others takes its passphrase: a faked terminal does not have it.
    const voucher = own.find(({ key }) => listed.some(({ approver, trusted }) => trusted && approver.key === key));
    for (const one of [...open.filter(isOwn), ...open.filter((other) => !isOwn(other))])
      await decideApprover(one, isOwn(one), { terminal, voucher, trusted: machineTrustedApprovers(places.areas) });
  } finally {
    terminal.close();
  }
}

/** Lists the approvers of the definitions, or none with a warning if they cannot be read. */
export async function listApproversOrWarn(places: PeoplePlaces): Promise<readonly ListedApprover[]> {
  const listed = await listApprovers(places);
  if (!("problem" in listed)) return listed;
  process.stderr.write(`waymark: ${listed.problem}.\n`);
  return [];
}

/** Formats an approver in one line. */
export function approverLine({ approver: { name, key, kind }, trusted, said }: ListedApprover): string {
  const mark = trusted ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  const word = said === undefined ? "" : `  (${said.word}, a person at a terminal, ${localTime(said.at)})`;
  return `${mark}  approver ${name}: ${kind === "passkey" ? "passkey " : ""}${key}${paint("dim", word)}`;
}

const noTerminalText = "Trusting an approver needs a terminal. Run waymark trust in your own terminal.";

type ApproverDecision = {
  readonly terminal: Terminal;
  readonly voucher: SealedKey | undefined;
  readonly trusted: ReturnType<typeof machineTrustedApprovers>;
};

async function decideApprover(
  listed: ListedApprover,
  isOwn: boolean,
  { terminal, voucher, trusted }: ApproverDecision,
): Promise<void> {
  const { approver, place, said } = listed;
  const { name, key, kind, enrolled } = approver;
  terminal.say(
    `${paint("bold", `approver ${name}`)}${isOwn ? " (your own key)" : ""}`,
    `  ${kind === "passkey" ? "passkey" : "key"}: ${key}`,
    `  enrolled: ${enrolled}`,
  );
  if (!isOwn)
    terminal.say("  Ask them whether this is their key: anyone who can edit approvers.json can put any name on a key.");
  if (said?.word === "no") terminal.say(paint("yellow", `  You rejected it at ${localTime(said.at)}.`));
  const isYes = /^y(es)?$/i.test(await terminal.ask("Trust this approver on this machine? [y/N] "));
  if (isYes && voucher !== undefined) await openKeyOrThrow(voucher, terminal, `to trust ${name}`);
  const word = isYes ? "yes" : "no";
  await trusted.decide({ word, name, key, place, at: new Date().toISOString() }).catch((fault: Error) => {
    throw new UserError(fault.message);
  });
  terminal.say(
    isYes ? paint("green", "Trusted.\n") : paint("yellow", "Not trusted: their approvals do not count here.\n"),
  );
}
