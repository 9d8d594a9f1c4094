import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { unlessIoError } from "../kit/io-errors.ts";
import { readIdentity } from "../people/identity-file.ts";
import type { Base } from "../repository/open-base.ts";
import { containmentProblem, continuationProblem, lineHashes } from "../stores/file/continued-history.ts";
import { isEngineFile, isMachineFile } from "../stores/file/git-ignore.ts";

export { openBase } from "../repository/open-base.ts";

/** The differences between a proposal and its base that a walk is not asked about. */
export type BaseComparison = {
  /** The histories that do not continue those of the base, and files that belong to one machine. */
  readonly problems: readonly string[];
  /** The files of the definitions that the proposal adds, changes or removes. */
  readonly changed: readonly string[];
  /** The hashes of every record that the base has. */
  readonly known: ReadonlySet<string>;
};

/** A base and how the proposal differs from it. */
export type ComparedBase = Base & BaseComparison;

/** Compares the histories and definitions of a proposal with those of its base. */
export async function compareWithBase(base: Base): Promise<BaseComparison> {
  const identity = (await readIdentity(base.definitions)) ?? { problem: noIdentity };
  const { top, folder, fork, isMerged, added, submodules, proposedDefinitions: inside } = base;
  const [before, later] = [historiesIn(fork), fork === folder ? [] : historiesIn(folder)];
  const named = (path: string, problem: string | undefined): readonly string[] =>
    problem === undefined ? [] : [`${path}: ${problem}`];
  return {
    problems: [
      ...("problem" in identity ? [identity.problem] : []),
      ...before.flatMap((path) => named(path, continuationProblem(join(fork, path), join(top, path)))),
      ...(isMerged ? later : []).flatMap((path) =>
        named(path, containmentProblem(join(folder, path), join(top, path))),
      ),
      ...added.flatMap((path) => named(path, isMachineFile(belowEngine(path)) ? machineFile : undefined)),
      ...submodules.filter((path) => holdsHistory(top, path)).map((path) => `${path}: ${inSubmodule}`),
    ],
    // A commit that contains the base can differ from it only by the proposal, no matter what its merges come from.
    changed: inside === undefined ? [] : changedFiles(join(isMerged ? folder : fork, inside), join(top, inside)),
    known: new Set([
      ...before.flatMap((path) => lineHashes(join(fork, path))),
      ...later.flatMap((path) => lineHashes(join(folder, path))),
      ...filesIn(base.removed).flatMap((path) => lineHashes(join(base.removed, path))),
    ]),
  };
}

const noIdentity =
  "the base names no project: let a person give it an identity with waymark init, and merge identity.json first";
const machineFile = "it belongs to one machine, so it must not be in git";
const inSubmodule = "a submodule, so the base does not have its histories: keep them in this repository";

/** The part of a path below the engine's folder; empty if it is not in one. */
function belowEngine(path: string): string {
  const parts = path.split("/");
  const at = parts.lastIndexOf(".waymark");
  return at === -1 ? "" : parts.slice(at + 1).join("/");
}

/** Every history in a folder and its project areas. */
function historiesIn(folder: string): readonly string[] {
  return filesIn(folder, ({ name }) => name !== ".git" && name !== "node_modules").filter((path) =>
    /(?:^|\/)\.waymark\/journal\/.+\.jsonl$/.test(path),
  );
}

function holdsHistory(top: string, folder: string): boolean {
  const isOwn = belowEngine(`${folder}/x`) !== "";
  return isOwn || historiesIn(join(top, folder)).length > 0;
}

/** The files of a definitions folder that differ between two versions of it. */
function changedFiles(before: string, now: string): readonly string[] {
  const own = (folder: string): readonly string[] => filesIn(folder).filter((path) => !isEngineFile(path));
  const paths = new Set([...own(before), ...own(now)]);
  return [...paths].filter((path) => textAt(join(before, path)) !== textAt(join(now, path))).sort();
}

/** The bytes of a plain file as text, or the target of a link; anything else is never the same as another file. */
function textAt(path: string): string | undefined {
  return unlessIoError(() => {
    const status = lstatSync(path);
    if (status.isSymbolicLink()) return `link ${readlinkSync(path)}`;
    return status.isFile() ? `file ${readFileSync(path, "latin1")}` : path;
  });
}

type Entry = { readonly name: string };

/** The files below a folder, sorted, without following links. */
function filesIn(folder: string, enter: (entry: Entry) => boolean = () => true, way = ""): readonly string[] {
  const entries = unlessIoError(() => readdirSync(join(folder, way), { withFileTypes: true })) ?? [];
  return entries
    .flatMap((entry) => {
      const path = way === "" ? entry.name : `${way}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return enter(entry) ? filesIn(folder, enter, path) : [];
    })
    .sort();
}
