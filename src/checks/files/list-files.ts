import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { askGit } from "../git/quiet-git.ts";

/** The most files read for one proof. */
export const mostFiles = 200_000;

/**
 * The files of a project area that a proof may depend on, without our own: with globs, every file that could match, ignored by git or
 * not; else what git tracks or would add; else everything.
 */
export async function listFiles(area: string, globs: readonly string[] | undefined): Promise<readonly string[]> {
  if (globs !== undefined) {
    const found = await Promise.all(outermost(globs.map(folderOf)).map((folder) => walk(area, folder)));
    return [...new Set(found.flat())];
  }
  const answer = await askGit(area, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const listed = "text" in answer ? new Set(answer.text.split("\0").filter((path) => path !== "")) : new Set<string>();
  return listed.size === 0 ? walk(area, "") : [...listed].filter((path) => !isOurs(path));
}

/** The folder that holds everything a glob can match. */
function folderOf(glob: string): string {
  const parts = glob.replace(/^\.\//, "").split("/");
  const until = parts.findIndex((part) => /[*?[{]/.test(part));
  return parts.slice(0, until === -1 ? -1 : until).join("/");
}

function outermost(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  const isBelow = (folder: string, other: string): boolean => other === "" || folder.startsWith(`${other}/`);
  return all.filter((folder) => !all.some((other) => other !== folder && isBelow(folder, other)));
}

/** Everything below a folder; installed packages count only if the folder itself is named. */
async function walk(area: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(area, folder), { withFileTypes: true }).catch((): Dirent[] => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isOurs(path) || entry.name === ".git" || entry.name === "node_modules") continue;
    if (entry.isDirectory()) for (const one of await walk(area, path)) found.push(one);
    else found.push(path);
    if (found.length > mostFiles) break;
  }
  return found;
}

/** Waymark's own files are not part of the work. */
function isOurs(path: string): boolean {
  return (
    path === "workflow_state.json" ||
    path === "activity_log.json" ||
    path === ".waymark" ||
    path.startsWith(".waymark/")
  );
}
