import { randomUUID } from "node:crypto";
import { lstat, open, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/v4";
import { type Approver, approversText, parseApprovers } from "./approver.ts";

/** The file beside the definitions that lists the approvers. */
export const approversFile = "approvers.json";

/** Reads the approvers of the definitions: none without a file, a problem if it cannot be used. */
export function readApprovers(definitions: string): Promise<readonly Approver[] | { readonly problem: string }> {
  return readApproversIn(join(definitions, approversFile));
}

/** Reads approvers from any file. */
export async function readApproversIn(path: string): Promise<readonly Approver[] | { readonly problem: string }> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  const about = (problem: string) => ({ problem: `${basename(path)} cannot be used: ${problem}` });
  if (!stats.isFile()) return about("it is not a plain file");
  if (stats.size > most) return about(`it is larger than ${most} bytes`);
  try {
    const read = parseApprovers(await readFile(path, "utf8"));
    return "problem" in read ? about(read.problem) : read;
  } catch {
    return about("it cannot be read");
  }
}

/** Adds an approver's key and keeps the rest of the file; returns a problem if it cannot. */
export async function addApprover(definitions: string, approver: Approver): Promise<string | undefined> {
  const known = await readApprovers(definitions);
  if ("problem" in known) return known.problem;
  if (known.some(({ key }) => key === approver.key)) return undefined;
  const text = approversText([...known, approver], await schemaFor(definitions));
  return writeBeside(definitions, approversFile, text);
}

/** Replaces a file beside the definitions atomically; returns a problem if it cannot. */
export async function writeBeside(definitions: string, name: string, text: string): Promise<string | undefined> {
  const path = join(definitions, name);
  const temp = join(definitions, `.${name}.${randomUUID()}`);
  try {
    const file = await open(temp, "wx", 0o644);
    try {
      await file.writeFile(text);
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

/** The schema the file names or, without a file, the one beside it. */
async function schemaFor(definitions: string): Promise<string | undefined> {
  const text = await readFile(join(definitions, approversFile), "utf8").catch(() => undefined);
  if (text !== undefined) return schemaForm.parse(JSON.parse(text)).$schema;
  const isKept = await lstat(join(definitions, ownSchema)).catch(() => undefined);
  return isKept === undefined ? undefined : `./${ownSchema}`;
}

const schemaForm = z.object({ $schema: z.string().optional() });
const ownSchema = "schemas/approvers.schema.json";
const most = 1024 * 1024;
