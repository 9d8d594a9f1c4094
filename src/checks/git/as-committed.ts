import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askGit } from "../../repository/git/ask-git.ts";
import { blobNames, formatOf } from "./blob-names.ts";

/**
 * Tells if a file is as git put it there: equal to the checked-out commit, or missing here and there but present on another branch; false
 * outside a repository.
 */
export async function isAsCommitted(folder: string, path: string): Promise<boolean> {
  const listed = await askGit(folder, "ls-tree", "-l", "-z", "HEAD", "--", path);
  if ("failed" in listed) return false;
  const bytes = await readFile(join(folder, path)).catch(() => undefined);
  const [, name, size] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t/.exec(listed.text) ?? [];
  if (name !== undefined)
    return bytes !== undefined && Number(size) > 0 && blobNames(bytes, formatOf(name)).includes(name);
  if (listed.text !== "" || bytes !== undefined) return false;
  const known = await askGit(folder, "rev-list", "--all", "--reflog", "--max-count=1", "--", path);
  return "text" in known && known.text !== "";
}
