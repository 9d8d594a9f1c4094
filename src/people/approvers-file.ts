import { randomUUID } from "node:crypto";
import { lstat, open, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/v4";
import { type Approver, approversText, parseApprovers } from "./approver.ts";

/** The file beside the definitions that names who may approve. */
export const approversFile = "approvers.json";

/** Who the definitions name: nobody where there is no file, and a problem where it cannot be used. */
export function readApprovers(definitions: string): Promise<readonly Approver[] | { readonly problem: string }> {
  return readApproversIn(join(definitions, approversFile));
}

/** The same of any file. */
export async function readApproversIn(path: string): Promise<readonly Approver[] | { readonly problem: string }> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  const about = (problem: string) => ({ problem: `${basename(path)} names nobody: ${problem}` });
  if (!stats.isFile()) return about("it is no plain file");
  if (stats.size > most) return about(`it is larger than ${most} bytes`);
  try {
    const read = parseApprovers(await readFile(path, "utf8"));
    return "problem" in read ? about(read.problem) : read;
  } catch {
    return about("it cannot be read");
  }
}

/** Adds somebody's key; what else stands in the file stays. Says what keeps it from that. */
export async function addApprover(definitions: string, approver: Approver): Promise<string | undefined> {
  const known = await readApprovers(definitions);
  if ("problem" in known) return known.problem;
  if (known.some(({ key }) => key === approver.key)) return undefined;
  const path = join(definitions, approversFile);
  const temp = join(definitions, `.${approversFile}.${randomUUID()}`);
  try {
    const file = await open(temp, "wx", 0o644);
    try {
      await file.writeFile(approversText([...known, approver], await schemaFor(definitions)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
    return undefined;
  } catch (error) {
    await rm(temp, { force: true });
    return `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The schema that the file names, or, where there is no file yet, the one that stands beside it. */
async function schemaFor(definitions: string): Promise<string | undefined> {
  const text = await readFile(join(definitions, approversFile), "utf8").catch(() => undefined);
  if (text !== undefined) return schemaForm.parse(JSON.parse(text)).$schema;
  const isKept = await lstat(join(definitions, ownSchema)).catch(() => undefined);
  return isKept === undefined ? undefined : `./${ownSchema}`;
}

const schemaForm = z.object({ $schema: z.string().optional() });
const ownSchema = "schemas/approvers.schema.json";
const most = 1024 * 1024;
