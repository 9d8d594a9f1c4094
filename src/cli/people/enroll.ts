import { type ListedApprover, listApprovers, type PeoplePlaces } from "../../app/list-approvers.ts";
import { type Approver, approverName, approverNameRule } from "../../people/approver.ts";
import { addApprover, approversFile } from "../../people/approvers-file.ts";
import { keyFile, ownKeys, storeKey } from "../../people/own-keys.ts";
import { makeKey, type SealedKey } from "../../people/sealed-key.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor } from "../terminal/workplace-options.ts";
import { approverPlaces, approversOrThrow } from "./approver-places.ts";
import { openKeyOrThrow } from "./choose-key.ts";
import { askNewPassphrase } from "./passphrase.ts";
import { requireOutsideProject } from "./read-keys.ts";

export type EnrollOptions = PlaceOptions & { readonly json?: true };

/** Creates a person's key, or takes their existing one of that name, and adds it to the approvers. */
export async function enroll(written: string, options: EnrollOptions): Promise<void> {
  const name = approverName(written);
  if (name === undefined)
    throw new UserError(`${oneLine(written).slice(0, 100)} is not a valid name: use ${approverNameRule}.`);
  const places = approverPlaces(options);
  const listed = approversOrThrow(await listApprovers(places));
  requireOutsideProject(keyFile(name), placesFor(options));
  const terminal = openTerminal(
    "Creating a key needs a terminal for its passphrase. Run waymark approve --enroll in your own terminal.",
  );
  try {
    const known = (await ownKeys()).find((key) => key.name === name);
    const key = known ?? (await newKey(name, terminal));
    // A person must be able to use the key they enroll.
    if (known !== undefined) await openKeyOrThrow(known, terminal, "to enroll it here too");
    await enrollKey(places, key, listed, options);
  } finally {
    terminal.close();
  }
}

async function newKey(name: string, terminal: Terminal): Promise<SealedKey> {
  terminal.say(`A new key for ${name}. It is protected by a passphrase, which cannot be recovered.`);
  const key = await makeKey(name, await askNewPassphrase(terminal));
  if (!(await storeKey(key)))
    throw new UserError(`${keyFile(name)} already exists and is not a Waymark key. No key was created.`);
  return key;
}

async function enrollKey(
  { definitions }: PeoplePlaces,
  { name, key, public: spki }: SealedKey,
  listed: readonly ListedApprover[],
  { json }: EnrollOptions,
): Promise<void> {
  const known = listed.find(({ approver }) => approver.key === key);
  if (known !== undefined && known.approver.name !== name)
    throw new UserError(
      `${approversFile} already lists this key as ${known.approver.name}. One key belongs to one person.`,
    );
  const approver: Approver = { name, kind: "ed25519", key, public: spki, enrolled: new Date().toISOString() };
  const problem = await addApprover(definitions, approver);
  if (problem !== undefined) throw new UserError(`${problem}. The key is in ${keyFile(name)}; run the command again.`);
  const trusted = known?.trusted === true;
  if (json === true) return printJson({ name, key, file: keyFile(name), trusted });
  print(
    `${name} is enrolled: ${key}`,
    `The private part is in ${keyFile(name)}, the public part in ${approversFile} beside the definitions.`,
    trusted ? "It is trusted on this machine." : "It counts on a machine once a person trusts it there: waymark trust",
  );
}
