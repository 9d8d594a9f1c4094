import type { KeyObject } from "node:crypto";
import { listApprovers, type PeoplePlaces } from "../../app/list-approvers.ts";
import { type ApprovalRule, isBelow } from "../../gates/approval-rule.ts";
import type { Decision } from "../../gates/approval-statement.ts";
import { approvalText } from "../../messages/approval-texts.ts";
import { approverName } from "../../people/approver.ts";
import { keyFile, ownKeys } from "../../people/own-keys.ts";
import { openKey, type SealedKey } from "../../people/sealed-key.ts";
import { oneLine } from "../terminal/print.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { approversOrThrow } from "./approver-places.ts";
import { askPassphrase } from "./passphrase.ts";

/** The answer that a key is needed for. */
type KeyRequest = {
  readonly places: PeoplePlaces;
  readonly decision: Decision;
  readonly needs: ApprovalRule;
  /** The key named by its owner. */
  readonly as?: string | undefined;
};

/**
 * Picks the enrolled key that a person answers with, or undefined if they have none here and the answer counts as elicited.
 */
export async function chooseKey(wanted: KeyRequest): Promise<SealedKey | undefined> {
  const { places, decision, needs } = wanted;
  const own = await ownKeys();
  const listed = approversOrThrow(await listApprovers(places));
  const enrolled = own.filter(({ key }) => listed.some(({ approver }) => approver.key === key));
  const chosen = wanted.as === undefined ? onlyUsableKey(enrolled, needs) : keyNamed(wanted.as, own, enrolled);
  if (decision !== "reject" && chosen === undefined && isBelow("elicited", needs.level))
    throw levelTooLowError(needs, own);
  if (chosen === undefined) return undefined;
  const { name } = chosen;
  if (listed.some(({ approver, trusted }) => approver.key === chosen.key && !trusted))
    throw new UserError(`The key of ${name} is not trusted on this machine yet. Run waymark trust.`);
  if (decision !== "reject" && needs.by !== undefined && !needs.by.includes(name))
    throw new UserError(`${name} cannot ${decision} this: it needs ${approvalText(needs)}.`);
  return chosen;
}

/** Asks for the passphrase and opens the key. */
export async function openKeyOrThrow(key: SealedKey, terminal: Terminal, why: string): Promise<KeyObject> {
  const opened = await openKey(key, await askPassphrase(terminal, `Passphrase for ${key.name}, ${why}: `));
  if (opened === undefined) throw new UserError(`Wrong passphrase for ${keyFile(key.name)}. Nothing was done.`);
  return opened;
}

/** Picks the only one of several keys that counts here, if there is one. */
function onlyUsableKey(enrolled: readonly SealedKey[], { by }: ApprovalRule): SealedKey | undefined {
  const wanted = enrolled.filter(({ name }) => by?.includes(name) === true);
  const left = wanted.length > 0 ? wanted : enrolled;
  if (left.length > 1)
    throw new UserError(`You have several keys here: ${left.map(({ name }) => name).join(", ")}. Name one with --as.`);
  return left[0];
}

function keyNamed(written: string, own: readonly SealedKey[], enrolled: readonly SealedKey[]): SealedKey {
  const name = approverName(written);
  const key = enrolled.find((one) => one.name === name);
  if (key !== undefined) return key;
  const shown = oneLine(written).slice(0, 100);
  const isOwn = own.some((one) => one.name === name);
  const what = isOwn ? `The key of ${shown} is not enrolled here` : `You have no key named ${shown}`;
  throw new UserError(`${what}. ${isOwn ? "Enroll it" : "Create one"} with waymark approve --enroll ${shown}.`);
}

function levelTooLowError(needs: ApprovalRule, own: readonly SealedKey[]): UserError {
  const [name] = own.map((key) => key.name);
  const how =
    name === undefined
      ? "create a key with waymark approve --enroll NAME"
      : `enroll your key ${name} here with waymark approve --enroll ${name}`;
  return new UserError(`This needs ${approvalText(needs)}. To get there, ${how}, then run waymark trust.`);
}
