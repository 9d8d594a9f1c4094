import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { rootVariable } from "../hosts/host.ts";
import { liesIn } from "../paths/lies-in.ts";
import { findRoot, foldersFrom, isFolder } from "../repository/project-root.ts";
import { UserFault } from "./fault.ts";

/** The project that a command without `--root` means. */
export function defaultRoot(named?: string): string {
  return findRoot(startFolder(named));
}

/** The same for a command that works there: a linked work tree below it, without definitions of its own, is worked in by those above. */
export function defaultPlace(named?: string): { readonly root: string; readonly definitions?: string } {
  const from = startFolder(named);
  const root = findRoot(from);
  const tree = foldersFrom(from).find(isLinkedTree);
  const isBelow = tree !== undefined && tree !== root && liesIn(root, tree);
  return isBelow ? { root: tree, definitions: join(root, ".waymark") } : { root };
}

/** Where a project is looked for. */
function startFolder(named: string | undefined = process.env[rootVariable]): string {
  // A host that does not know its own placeholder hands it on as it stands.
  if (named === undefined || named === "" || named.includes("${")) return process.cwd();
  if (!isFolder(named)) throw new UserFault(`${rootVariable} names ${named}, which is not a folder.`);
  return resolve(named);
}

function isLinkedTree(folder: string): boolean {
  const dotGit = join(folder, ".git");
  const isFile = statSync(dotGit, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && /^gitdir: .*[\\/]worktrees[\\/]/.test(readFileSync(dotGit, "utf8"));
}

/** The project that init sets up: the same, but a home folder is not the project of what stands in it. */
export function rootToSetUp(from: string, home: string): string {
  const root = findRoot(from);
  return liesIn(root, home) ? from : root;
}
