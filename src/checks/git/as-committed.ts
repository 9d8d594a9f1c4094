import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askGit } from "./quiet-git.ts";

/**
 * Tells if a file is as git put it there: equal to the checked-out commit, or missing here and there but present on another branch; false
 * outside a repository.
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

/** Tells if bytes have this blob name, as they are or with git's line endings. */
function isBlob(bytes: Buffer, name: string): boolean {
  const kept = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return [bytes, kept].some((one) => {
    const hash = createHash(name.length === 64 ? "sha256" : "sha1");
    return hash.update(`blob ${one.length}\0`).update(one).digest("hex") === name;
  });
}
