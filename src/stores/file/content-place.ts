import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { closedFolder, isOwnName, pathProblem, pathsAsFileSystemsSee } from "../../evidence/content-path.ts";
import { markFile } from "../../evidence/generated-mark.ts";
import { liesIn } from "../../paths/lies-in.ts";
import { realPathOrNamedSync } from "../../paths/real-path.ts";
import { faultCode, unlessFault } from "./faults.ts";

/** A folder that content may not touch; of one that holds the project area itself, only these parts of it. */
export type Guarded = { readonly folder: string; readonly parts: readonly string[] };

/** A project area, and what content may not touch there besides what its names forbid. `main`: the area that has its history, where that is another. `areas`: all project areas of the definitions. */
export type Ground = {
  readonly area: string;
  readonly main?: string;
  readonly areas?: readonly string[];
  readonly guarded: readonly Guarded[];
};

/** Where content may be written or read: below the real project area, by real names. `size` is null where no file is there. */
export type ContentPlace = {
  readonly target: string;
  readonly size: number | null;
  readonly root: string;
  /** The folders that lead from the root to the file. */
  readonly folders: readonly string[];
  readonly name: string;
};

/** Decides, as the disk stands now, whether content may be written or read at a path: the one place that does. */
export function placeOf(ground: Ground, path: string): ContentPlace | { readonly problem: string } {
  const problem = pathProblem(path);
  if (problem !== undefined) return { problem };
  try {
    return resolvePlace(ground, path);
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return { problem: code === "ENOTDIR" ? notFolder : `it cannot be reached (${code})` };
  }
}

/** Throws where a folder that was reached is one that content may not touch, whatever it is called now. */
export function refuseGuarded(ground: Ground, at: string): void {
  const met = statSync(at, { bigint: true });
  if (guardedPaths(ground).some((path) => isOne(statOf(path), met))) throw new GuardedFolder();
}

/** A folder turned out to be one that content may not touch. */
class GuardedFolder extends Error {
  readonly code = "EPERM";
}

const notFolder = "a file stands where it needs a folder";
const guardedProblem = "it lies in the definitions, or in the server's own package";
const generatedProblem = "it lies in a server that was generated from a bot";
const ownFile = "it is a file that Waymark alone writes";

function resolvePlace(ground: Ground, path: string): ContentPlace | { readonly problem: string } {
  const root = realpathSync.native(ground.area);
  const closed = closedFolder(realPathOrNamedSync(ground.main ?? ground.area), root, sep);
  if (closed !== undefined) return { problem: `the project area lies in ${closed}` };
  const asked = join(root, path);
  const ancestor = deepestExisting(dirname(asked), root);
  const real = realpathSync.native(ancestor);
  if (!liesIn(root, real)) return { problem: "it leaves the project area through a link" };
  if (!statSync(real).isDirectory()) return { problem: notFolder };
  const target = join(real, relative(ancestor, asked));
  // A link inside the area may still lead into a dot-folder, or to the two files that are ours.
  const problem = pathProblem(relative(root, target).split(sep).join("/"));
  if (problem !== undefined) return { problem: `through a link, ${problem}` };
  const guarded = guardedPaths(ground);
  const named = [relative(root, target), target, ...guarded, ...guarded.map(realPathOrNamedSync)];
  const [inside = "", seen = "", ...kept] = pathsAsFileSystemsSee(named, sep);
  if (inside.split(sep).includes("node_modules"))
    return { problem: "it lies in node_modules, where packages are installed" };
  if (kept.some((path) => beginsWith(path, seen)) || isReached(guarded, root, target))
    return { problem: guardedProblem };
  if (isGenerated(root, target)) return { problem: generatedProblem };
  const folders = relative(root, dirname(target)).split(sep);
  const place = { target, root, folders: folders.filter((part) => part !== ""), name: basename(target) };
  const standing = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  if (isOwnFile(ground, root, target, standing)) return { problem: ownFile };
  if (standing === undefined) return { ...place, size: null };
  if (standing.isSymbolicLink()) return { problem: "it is a link" };
  if (!standing.isFile()) return { problem: standing.isDirectory() ? "it is a folder" : "it is not a regular file" };
  return { ...place, size: Number(standing.size) };
}

/** Whether a path leads through what content may not touch, whatever it is called on the way. */
function isReached(guarded: readonly string[], root: string, target: string): boolean {
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

/** Whether a path lies in a server that Waymark generated, below the project area: one that is the project area itself is the project. */
function isGenerated(root: string, target: string): boolean {
  for (let folder = dirname(target); folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (statOf(join(folder, markFile)) !== undefined) return true;
  return false;
}

function guardedPaths({ area, main = area, guarded }: Ground): readonly string[] {
  const root = realPathOrNamedSync(main);
  return guarded.flatMap(({ folder, parts }) =>
    liesIn(realPathOrNamedSync(folder), root) ? parts.map((part) => join(folder, part)) : [folder],
  );
}

/** One of the two JSON files, of this project area or of another one, begun or not, by its name or as a second name of it. */
function isOwnFile({ areas = [] }: Ground, root: string, target: string, standing: BigIntStats | undefined): boolean {
  const isOwned = isOwnName(basename(target)) && isArea(dirname(target), areas);
  const fixed = ["workflow_state.json", "activity_log.json"].map((name) => statOf(join(root, name)));
  return isOwned || (standing?.isFile() === true && fixed.some((one) => isOne(one, standing)));
}

/** Whether a folder is a project area: one of the definitions, or one that somebody has begun in. */
function isArea(folder: string, areas: readonly string[]): boolean {
  if (statOf(join(folder, ".waymark")) !== undefined) return true;
  const [asked, ...known] = pathsAsFileSystemsSee([folder, ...areas.map(realPathToCome)], sep);
  return known.some((area) => area === asked);
}

/** Where a path leads, or will once its last folders are there. */
function realPathToCome(path: string): string {
  const ancestor = deepestExisting(path, parse(path).root);
  return join(realPathOrNamedSync(ancestor), relative(ancestor, path));
}

function isOne(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function statOf(path: string): BigIntStats | undefined {
  return unlessFault(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
}

/** Like `liesIn`, of paths as file systems see them: a name may hold separators and dots by then, which lead nowhere. */
function beginsWith(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The nearest folder above that is there; a link that leads nowhere is there. */
function deepestExisting(folder: string, root: string): string {
  let current = folder;
  while (current !== root && lstatSync(current, { throwIfNoEntry: false }) === undefined) current = dirname(current);
  return current;
}
