import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath, realPathOrSame } from "../../kit/real-path.ts";
import { askGit } from "../../repository/git/ask-git.ts";
import { pathsIn } from "../git/list-against.ts";

/** The most files read for one proof. */
export const mostFiles = 200_000;

/** The most files and folders listed for one proof; beyond it a listing stops. */
export const mostListed = 2 * mostFiles;

/**
 * The files of a project area that a proof may depend on, without our own: with globs, every file that could match, ignored by git or
 * not; else what git tracks or would add; else everything.
 */
export async function listFiles(area: string, globs: readonly string[] | undefined): Promise<readonly string[]> {
  if (globs === undefined) {
    const listed = await listByGit(area);
    return (listed.length === 0 ? await walk(area, "") : listed).filter((path) => !isOurs(path));
  }
  const found = await Promise.all(outermost(globs.map(folderOf)).map((folder) => walk(area, folder)));
  return [...new Set(found.flat())].filter((path) => !isOurs(path));
}

/** The files of a folder that git lists as one entry: by its own repository if it has one, else all. */
export async function listFolder(area: string, folder: string): Promise<readonly string[]> {
  const inside = join(area, folder);
  const listed = (await isThere(join(inside, ".git"))) ? await listByGit(inside) : [];
  const name = folder.replace(/\/$/, "");
  return listed.length === 0 ? walk(area, name) : listed.map((path) => `${name}/${path}`);
}

/** Lists the files of HEAD and the index and those git would add; ignore files count, excludes of a repository's settings do not. */
async function listByGit(area: string): Promise<readonly string[]> {
  const answers = await Promise.all([
    askGit(area, "ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore"),
    askGit(area, "ls-tree", "-r", "-z", "--name-only", "HEAD"),
  ]);
  return [...new Set(answers.flatMap((answer) => ("text" in answer ? pathsIn(answer.text) : [])))];
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

/**
 * Everything below a folder, linked folders too unless they hold the place they are linked from; installed packages count only if the
 * folder itself is named.
 */
async function walk(area: string, start: string): Promise<readonly string[]> {
  const found: string[] = [];
  let folders = 0;
  /** `seen` are the real folders that this one is below. */
  const visit = async (folder: string, seen: readonly string[]): Promise<void> => {
    folders += 1;
    const entries = await readdir(join(area, folder), { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (found.length + folders > mostListed) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || entry.name === "node_modules" || isOurs(path)) continue;
      if (entry.isDirectory()) {
        await visit(path, seen);
        continue;
      }
      found.push(path);
      const linked = entry.isSymbolicLink() ? await linkedFolder(join(area, path)) : undefined;
      const here = linked === undefined ? [] : [...seen, await realPathOrSame(join(area, folder))];
      if (linked !== undefined && !here.some((one) => isPathInside(linked, one))) await visit(path, here);
    }
  };
  await visit(start, []);
  return found;
}

async function linkedFolder(path: string): Promise<string | undefined> {
  return (await isFolder(path)) ? realPath(path) : undefined;
}

/** Tells if there is a folder at a path, links followed. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
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
