import type { KeyObject } from "node:crypto";
import { listApprovers, type PeoplePlaces } from "../compose-people.ts";
import { type Approval, isBelow } from "../evidence/approval.ts";
import { approverName } from "../people/approver.ts";
import { keyFile, ownKeys } from "../people/own-keys.ts";
import { openKey, type SealedKey } from "../people/sealed-key.ts";
import type { Statement } from "../people/statement.ts";
import { approvalInWords } from "../words/approval.ts";
import { UserFault } from "./fault.ts";
import { askPassphrase } from "./passphrase.ts";
import { listedOrFault } from "./people-places.ts";
import { plain } from "./print.ts";
import type { Terminal } from "./terminal.ts";

/** What a key is wanted for. */
type Wanted = {
  readonly places: PeoplePlaces;
  readonly decision: Statement["decision"];
  readonly needs: Approval;
  /** The one that its owner names. */
  readonly as?: string | undefined;
};

/**
 * The key that a person answers with, of those of theirs that are enrolled here; none where they have none, and their word counts as
 * elicited. What could not count is said before anybody types a passphrase.
 */
export async function chooseKey(wanted: Wanted): Promise<SealedKey | undefined> {
  const { places, decision, needs } = wanted;
  const own = await ownKeys();
  const listed = listedOrFault(await listApprovers(places));
  const enrolled = own.filter(({ key }) => listed.some(({ approver }) => approver.key === key));
  const chosen = wanted.as === undefined ? onlyOne(enrolled, needs) : named(wanted.as, own, enrolled);
  if (decision === "approve" && chosen === undefined && isBelow("elicited", needs.level)) throw notEnough(needs, own);
  if (chosen === undefined) return undefined;
  const { name } = chosen;
  if (listed.some(({ approver, trusted }) => approver.key === chosen.key && !trusted))
    throw new UserFault(`Nobody has trusted the key of ${name} on this machine yet: run waymark trust.`);
  if (decision === "approve" && needs.by !== undefined && !needs.by.includes(name))
    throw new UserFault(`The approval of ${name} does not count here: it needs ${approvalInWords(needs)}.`);
  return chosen;
}

/** Has a person open their key; says what it is for. */
export async function openOrFault(key: SealedKey, terminal: Terminal, why: string): Promise<KeyObject> {
  const opened = await openKey(key, await askPassphrase(terminal, `Passphrase of ${key.name}, ${why}: `));
  if (opened === undefined)
    throw new UserFault(`That is not the passphrase of ${keyFile(key.name)}. Nothing was done.`);
  return opened;
}

/** Of several keys the one that counts here, where that is one. */
function onlyOne(enrolled: readonly SealedKey[], { by }: Approval): SealedKey | undefined {
  const wanted = enrolled.filter(({ name }) => by?.includes(name) === true);
  const left = wanted.length > 0 ? wanted : enrolled;
  if (left.length > 1)
    throw new UserFault(`You have several keys here: ${left.map(({ name }) => name).join(", ")}. Say which with --as.`);
  return left[0];
}

function named(written: string, own: readonly SealedKey[], enrolled: readonly SealedKey[]): SealedKey {
  const name = approverName(written);
  const key = enrolled.find((one) => one.name === name);
  if (key !== undefined) return key;
  const shown = plain(written).slice(0, 100);
  const isOwn = own.some((one) => one.name === name);
  const what = isOwn ? `The key of ${shown} is not among the approvers here` : `You have no key named ${shown}`;
  throw new UserFault(`${what}: waymark approve --enroll ${shown} ${isOwn ? "names it there" : "makes one"}.`);
}

function notEnough(needs: Approval, own: readonly SealedKey[]): UserFault {
  const [name] = own.map((key) => key.name);
  const how =
    name === undefined
      ? "waymark approve --enroll NAME makes a key for you"
      : `your key ${name} is not enrolled here yet, and waymark approve --enroll ${name} does that`;
  return new UserFault(`This needs ${approvalInWords(needs)}: ${how}; then run waymark trust.`);
}
