import { type ApproverListed, listApprovers, type PeoplePlaces } from "../compose-people.ts";
import { type Approver, approverName, approverNameRule } from "../people/approver.ts";
import { addApprover, approversFile } from "../people/approvers-file.ts";
import { keepKey, keyFile, ownKeys } from "../people/own-keys.ts";
import { makeKey, type SealedKey } from "../people/sealed-key.ts";
import { UserFault } from "./fault.ts";
import { outside } from "./keys.ts";
import { openOrFault } from "./own-key.ts";
import { askNewPassphrase } from "./passphrase.ts";
import { listedOrFault, peoplePlaces } from "./people-places.ts";
import { plain, print, printJson } from "./print.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { type PlaceOptions, placesFor } from "./workplace.ts";

export type EnrollOptions = PlaceOptions & { readonly json?: true };

/** Makes a key for a person, or takes the one that they have by this name, and names it among the approvers of these definitions. */
export async function enroll(written: string, options: EnrollOptions): Promise<void> {
  const name = approverName(written);
  if (name === undefined)
    throw new UserFault(`${plain(written).slice(0, 100)} is no name of a person: ${approverNameRule}.`);
  const places = peoplePlaces(options);
  const listed = listedOrFault(await listApprovers(places));
  outside(keyFile(name), placesFor(options));
  const terminal = openTerminal(
    "A key is made by a person at a terminal, who types its passphrase there: run waymark approve --enroll in a terminal of your own.",
  );
  try {
    const known = (await ownKeys()).find((key) => key.name === name);
    const key = known ?? (await newKey(name, terminal));
    // Nobody is enrolled with a key that they cannot use.
    if (known !== undefined) await openOrFault(known, terminal, "to enroll it here too");
    await place(places, key, listed, options);
  } finally {
    terminal.close();
  }
}

async function newKey(name: string, terminal: Terminal): Promise<SealedKey> {
  terminal.say(`A new key for ${name}. It is sealed with a passphrase, which cannot be recovered.`);
  const key = await makeKey(name, await askNewPassphrase(terminal));
  if (!(await keepKey(key)))
    throw new UserFault(`${keyFile(name)} stands there already and is no key of ours: no key was made.`);
  return key;
}

async function place(
  { definitions }: PeoplePlaces,
  { name, key, public: spki }: SealedKey,
  listed: readonly ApproverListed[],
  { json }: EnrollOptions,
): Promise<void> {
  const known = listed.find(({ approver }) => approver.key === key);
  if (known !== undefined && known.approver.name !== name)
    throw new UserFault(`${approversFile} names this key as ${known.approver.name}: one key is one person's.`);
  const approver: Approver = { name, kind: "ed25519", key, public: spki, enrolled: new Date().toISOString() };
  const problem = await addApprover(definitions, approver);
  if (problem !== undefined) throw new UserFault(`${problem}. The key is in ${keyFile(name)}; enroll again.`);
  const trusted = known?.trusted === true;
  if (json === true) return printJson({ name, key, file: keyFile(name), trusted });
  print(
    `${name} is enrolled: ${key}`,
    `The private part is in ${keyFile(name)}, the public part in ${approversFile} beside the definitions.`,
    trusted
      ? "It is trusted on this machine."
      : "It counts on a machine once a person has trusted it there, at a terminal: waymark trust",
  );
}
