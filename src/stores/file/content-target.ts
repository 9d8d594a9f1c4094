import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { foldPaths } from "../../kit/fold-names.ts";
import { markFile } from "../../kit/generated-mark.ts";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { closedFolderBetween, isOwnName, pathProblem, readPathProblem } from "../../kit/portable-path.ts";
import { realPathOrSameSync } from "../../kit/real-path.ts";

/** A folder that content must not touch; if it contains the project area, only these parts of it. */
export type Guarded = { readonly folder: string; readonly parts: readonly string[] };

/**
 * A project area and what content must not touch there. `main` is the area of its history if different; `areas` are all project areas of
 * the definitions.
 */
export type ContentArea = {
  readonly area: string;
  readonly main?: string;
  readonly areas?: readonly string[];
  readonly guarded: readonly Guarded[];
};

/** The resolved path of content, below the real project area; `size` is null if no file exists. */
export type ContentFile = {
  readonly target: string;
  readonly size: number | null;
  readonly root: string;
  /** The folders from the root to the file. */
  readonly folders: readonly string[];
  readonly name: string;
};

/** Decides if content may be written at a path, or only read there, by the current disk; the only function that does. */
export function resolveContent(
  ground: ContentArea,
  path: string,
  use: "write" | "read" = "write",
): ContentFile | { readonly problem: string } {
  const problemOf = use === "read" ? readPathProblem : pathProblem;
  const problem = problemOf(path);
  if (problem !== undefined) return { problem };
  try {
    return resolveContentPath(ground, path, problemOf);
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return { problem: code === "ENOTDIR" ? notFolder : `it cannot be reached (${code})` };
  }
}

/** Throws if a reached folder is guarded, under any name. */
export function refuseGuarded(ground: ContentArea, at: string): void {
  const met = statSync(at, { bigint: true });
  if (guardedPaths(ground).some((path) => isOne(statOf(path), met))) throw new GuardedFolder();
}

/** Thrown for a guarded folder. */
class GuardedFolder extends Error {
  readonly code = "EPERM";
}

const notFolder = "part of its path is a file, not a folder";
const guardedProblem = "it is in the definitions or the server's own package";
const generatedProblem = "it is in a server generated from a bot";
const ownFile = "only Waymark writes this file";

function resolveContentPath(
  ground: ContentArea,
  path: string,
  problemOf: (path: string) => string | undefined,
): ContentFile | { readonly problem: string } {
  const root = realpathSync.native(ground.area);
  const closed = closedFolderBetween(realPathOrSameSync(ground.main ?? ground.area), root, sep);
  if (closed !== undefined) return { problem: `the project area is in ${closed}` };
  const asked = join(root, path);
  const ancestor = deepestExisting(dirname(asked), root);
  const real = realpathSync.native(ancestor);
  if (!isPathInside(root, real)) return { problem: "it leaves the project area through a link" };
  if (!statSync(real).isDirectory()) return { problem: notFolder };
  const target = join(real, relative(ancestor, asked));
  const reached = relative(root, target).split(sep).join("/");
  // A link inside the area may still lead to a dot-folder or to our two files.
  const problem = reached === path ? undefined : problemOf(reached);
  if (problem !== undefined) return { problem: `through a link, ${problem}` };
  const guarded = guardedPaths(ground);
  const named = [relative(root, target), target, ...guarded, ...guarded.map(realPathOrSameSync)];
  const [inside = "", seen = "", ...kept] = foldPaths(named, sep);
  if (inside.split(sep).includes("node_modules"))
    return { problem: "it is in node_modules, where packages are installed" };
  if (kept.some((path) => beginsWith(path, seen)) || leadsThrough(guarded, root, target))
    return { problem: guardedProblem };
  if (isGenerated(root, target)) return { problem: generatedProblem };
  const folders = relative(root, dirname(target)).split(sep);
  const place = { target, root, folders: folders.filter((part) => part !== ""), name: basename(target) };
  const status = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  if (isOwnFile(ground, root, target, status)) return { problem: ownFile };
  if (status === undefined) return { ...place, size: null };
  if (status.isSymbolicLink()) return { problem: "it is a link" };
  if (!status.isFile()) return { problem: status.isDirectory() ? "it is a folder" : "it is not a regular file" };
  return { ...place, size: Number(status.size) };
}

/** Tells if a path leads through a guarded folder, under any name. */
function leadsThrough(guarded: readonly string[], root: string, target: string): boolean {
  const steps: BigIntStats[] = [];
  for (let step = target; step !== root && step !== dirname(step); step = dirname(step)) {
    const stats = statOf(step);
    if (stats !== undefined) steps.push(stats);
  }
  return guarded.some((path) => {
    const own = statOf(path);
    return steps.some((step) => isOne(own, step));
  });
}

/** Tells if a path is inside a generated server below the project area; if the area itself is one, it is the project. */
function isGenerated(root: string, target: string): boolean {
  for (let folder = dirname(target); folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (statOf(join(folder, markFile)) !== undefined) return true;
  return false;
}

function guardedPaths({ area, main = area, guarded }: ContentArea): readonly string[] {
  const root = realPathOrSameSync(main);
  return guarded.flatMap(({ folder, parts }) =>
    isPathInside(realPathOrSameSync(folder), root) ? parts.map((part) => join(folder, part)) : [folder],
  );
}

/** Tells if a path is a JSON file of this or another project area, by its name or a hard link. */
function isOwnFile(
  { areas = [] }: ContentArea,
  root: string,
  target: string,
  status: BigIntStats | undefined,
): boolean {
  const isOwned = isOwnName(basename(target)) && isArea(dirname(target), areas);
  const fixed = ["workflow_state.json", "activity_log.json"].map((name) => statOf(join(root, name)));
  return isOwned || (status?.isFile() === true && fixed.some((one) => isOne(one, status)));
}

/** Tells if a folder is a project area: named in the definitions, or already used. */
function isArea(folder: string, areas: readonly string[]): boolean {
  if (statOf(join(folder, ".waymark")) !== undefined) return true;
  const [asked, ...known] = foldPaths([folder, ...areas.map(realPathToCome)], sep);
  return known.some((area) => area === asked);
}

/** The real path of a path whose last folders may not exist yet. */
function realPathToCome(path: string): string {
  const ancestor = deepestExisting(path, parse(path).root);
  return join(realPathOrSameSync(ancestor), relative(ancestor, path));
}

function isOne(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function statOf(path: string): BigIntStats | undefined {
  return unlessIoError(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
}

/** Like `isPathInside` for paths as file systems see them, where a name may contain separators and dots. */
function beginsWith(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The nearest existing ancestor; a broken link exists. */
function deepestExisting(folder: string, root: string): string {
  let current = folder;
  while (current !== root && lstatSync(current, { throwIfNoEntry: false }) === undefined) current = dirname(current);
  return current;
}
