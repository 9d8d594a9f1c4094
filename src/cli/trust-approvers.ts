import { type ApproverListed, listApprovers, type PeoplePlaces, trustedHere } from "../compose-people.ts";
import { ownKeys } from "../people/own-keys.ts";
import type { SealedKey } from "../people/sealed-key.ts";
import { UserFault } from "./fault.ts";
import { openOrFault } from "./own-key.ts";
import { paint, print } from "./print.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Shows a person whose approval would count here, and lets them say whose does on this machine. Nothing but a person at a terminal trusts anybody. */
export async function trustApprovers(places: PeoplePlaces, isUnattended: boolean): Promise<void> {
  const listed = await approversOrNone(places);
  const open = listed.filter(({ trusted }) => !trusted);
  if (listed.length === 0) return;
  if (open.length === 0) return print(`All ${listed.length} approver(s) are trusted on this machine.`);
  if (isUnattended) return print(`${open.length} approver(s) are not trusted: ${noTerminal}`);
  const own = await ownKeys();
  const terminal = openTerminal(noTerminal);
  try {
    const isOwn = ({ approver }: ApproverListed): boolean => own.some(({ key }) => key === approver.key);
    // Once somebody's own key is trusted here, whoever is to join them needs its passphrase: a faked terminal does not have it.
    const voucher = own.find(({ key }) => listed.some(({ approver, trusted }) => trusted && approver.key === key));
    for (const one of [...open.filter(isOwn), ...open.filter((other) => !isOwn(other))])
      await decide(one, isOwn(one), { terminal, voucher, trusted: trustedHere(places.areas) });
  } finally {
    terminal.close();
  }
}

/** Everybody whom the definitions name; nobody, and a warning, where that cannot be told. */
export async function approversOrNone(places: PeoplePlaces): Promise<readonly ApproverListed[]> {
  const listed = await listApprovers(places);
  if (!("problem" in listed)) return listed;
  process.stderr.write(`waymark: ${listed.problem}.\n`);
  return [];
}

/** Somebody in one line. */
export function approverLine({ approver: { name, key, kind }, trusted, said }: ApproverListed): string {
  const mark = trusted ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  const word = said === undefined ? "" : `  (${said.word}, a person at a terminal, ${said.at})`;
  return `${mark}  approver ${name}: ${kind === "passkey" ? "passkey " : ""}${key}${paint("dim", word)}`;
}

const noTerminal = "Trusting an approver takes a person at a terminal: run waymark trust in one of your own.";

type Deciding = {
  readonly terminal: Terminal;
  readonly voucher: SealedKey | undefined;
  readonly trusted: ReturnType<typeof trustedHere>;
};

async function decide(listed: ApproverListed, isOwn: boolean, { terminal, voucher, trusted }: Deciding): Promise<void> {
  const { approver, place, said } = listed;
  const { name, key, kind, enrolled } = approver;
  terminal.say(
    `${paint("bold", `approver ${name}`)}${isOwn ? " (your own key)" : ""}`,
    `  ${kind === "passkey" ? "passkey" : "key"}: ${key}`,
    `  enrolled: ${enrolled}`,
  );
  if (!isOwn)
    terminal.say("  Ask them whether that is their key: whoever can write approvers.json can put a name on any.");
  if (said?.word === "no") terminal.say(paint("yellow", `  You said no to it at ${said.at}.`));
  const isYes = /^y(es)?$/i.test(await terminal.ask("Does their approval count on this machine? [y/N] "));
  if (isYes && voucher !== undefined) await openOrFault(voucher, terminal, `to trust ${name}`);
  const word = isYes ? "yes" : "no";
  await trusted.decide({ word, name, key, place, at: new Date().toISOString() }).catch((fault: Error) => {
    throw new UserFault(fault.message);
  });
  terminal.say(isYes ? paint("green", "Trusted.\n") : paint("yellow", "Not trusted: it counts for nothing.\n"));
}
