import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { rootVariable } from "../../hosts/host.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { findRoot, foldersFrom, isFolder } from "../../repository/project-root.ts";
import { UserError } from "./user-error.ts";

/** Finds the project for a command without `--root`. */
export function defaultRoot(named?: string): string {
  return findRoot(startFolder(named));
}

/** Finds the root and definitions; a linked worktree without its own definitions uses those above it. */
export function defaultFolders(named?: string): { readonly root: string; readonly definitions?: string } {
  const from = startFolder(named);
  const root = findRoot(from);
  const tree = foldersFrom(from).find(isLinkedWorktree);
  const isBelow = tree !== undefined && tree !== root && isPathInside(root, tree);
  return isBelow ? { root: tree, definitions: join(root, ".waymark") } : { root };
}

/** Returns the folder where the search for a project starts. */
function startFolder(named: string | undefined = process.env[rootVariable]): string {
  // A host that does not know its own placeholder passes it on literally.
  if (named === undefined || named === "" || named.includes("${")) return process.cwd();
  if (!isFolder(named)) throw new UserError(`${rootVariable} is ${named}, which is not a folder.`);
  return resolve(named);
}

function isLinkedWorktree(folder: string): boolean {
  const dotGit = join(folder, ".git");
  const isFile = statSync(dotGit, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && /^gitdir: .*[\\/]worktrees[\\/]/.test(readFileSync(dotGit, "utf8"));
}

/** Finds the project that init sets up; a home folder is not the project of a folder inside it. */
export function rootForInit(from: string, home: string): string {
  const root = findRoot(from);
  return isPathInside(root, home) ? from : root;
}
