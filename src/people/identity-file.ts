import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessIoError } from "../kit/io-errors.ts";
import { isObject, parsedJson } from "../kit/json.ts";

/** The file beside the definitions that names the project, the same in every clone. */
export const identityFile = "identity.json";

type Identity = { readonly project: string } | { readonly problem: string };

/** Reads the identity of the project that a definitions folder belongs to; none in a project from before identities. */
export async function readIdentity(definitions: string): Promise<Identity | undefined> {
  const path = join(definitions, identityFile);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  return parseIdentity(stats.isFile() && stats.size < 1000 ? await readFile(path, "utf8").catch(() => "") : "");
}

/** Returns a reader that trusts an identity for two seconds, since every call asks; a missing one is looked for each time. */
export function identityOf(definitions: string): () => Promise<Identity | undefined> {
  let known: { readonly identity: Identity; readonly at: number } | undefined;
  return async () => {
    if (known !== undefined && performance.now() - known.at < 2000) return known.identity;
    const identity = await readIdentity(definitions);
    known = identity === undefined ? undefined : { identity, at: performance.now() };
    return identity;
  };
}

function parseIdentity(text: string): Identity {
  const read = parsedJson(text);
  const { project } = isObject(read) ? read : {};
  if (typeof project === "string" && /^[0-9a-f]{32}$/.test(project)) return { project };
  return { problem: `${identityFile} does not hold a project's identity` };
}

/** Gives a project its identity, unless it has one or there are no definitions to put it beside. */
export function giveIdentity(definitions: string): void {
  unlessIoError(() => writeFileSync(join(definitions, identityFile), newIdentityText(), { flag: "wx" }));
}

/** Makes the text of an identity that no other project has. */
export function newIdentityText(): string {
  return `${JSON.stringify({ project: randomBytes(16).toString("hex") }, null, 2)}\n`;
}
