import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askGit } from "./quiet-git.ts";

/**
 * Whether a file of a folder is as git put it there: it says what it says in the commit that is checked out, or it is neither there
 * nor in that commit, and a commit of another branch has it. False where the folder lies in no repository.
 */
export async function isAsCommitted(folder: string, path: string): Promise<boolean> {
  const listed = await askGit(folder, "ls-tree", "-l", "-z", "HEAD", "--", path);
  if ("failed" in listed) return false;
  const bytes = await readFile(join(folder, path)).catch(() => undefined);
  const [, name, size] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t/.exec(listed.text) ?? [];
  if (name !== undefined) return bytes !== undefined && Number(size) > 0 && isBlob(bytes, name);
  if (listed.text !== "" || bytes !== undefined) return false;
  const known = await askGit(folder, "rev-list", "--all", "--reflog", "--max-count=1", "--", path);
  return "text" in known && known.text !== "";
}

/** Whether git names bytes so, as they are or with the ends of lines that git keeps. */
function isBlob(bytes: Buffer, name: string): boolean {
  const kept = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return [bytes, kept].some((one) => {
    const hash = createHash(name.length === 64 ? "sha256" : "sha1");
    return hash.update(`blob ${one.length}\0`).update(one).digest("hex") === name;
  });
}
