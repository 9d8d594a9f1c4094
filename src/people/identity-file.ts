import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import { unlessIoError } from "../kit/io-errors.ts";
import { parsedJson } from "../kit/json.ts";

/** The file beside the definitions that names the project, the same in every clone. */
export const identityFile = "identity.json";

const form = z.strictObject({ project: z.string().regex(/^[0-9a-f]{32}$/) });

/** Reads the identity of the project that a definitions folder belongs to. */
export async function readIdentity(
  definitions: string,
): Promise<ReturnType<typeof form.parse> | { readonly problem: string } | undefined> {
  const path = join(definitions, identityFile);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size < 1000 ? await readFile(path, "utf8").catch(() => "") : "";
  const read = form.safeParse(parsedJson(text));
  return read.success ? read.data : { problem: `${identityFile} does not hold a project's identity` };
}

/** Gives a project its identity, unless it has one or there are no definitions to put it beside. */
export function giveIdentity(definitions: string): void {
  unlessIoError(() => writeFileSync(join(definitions, identityFile), newIdentityText(), { flag: "wx" }));
}

/** Makes the text of an identity that no other project has. */
export function newIdentityText(): string {
  return `${JSON.stringify({ project: randomBytes(16).toString("hex") }, null, 2)}\n`;
}
