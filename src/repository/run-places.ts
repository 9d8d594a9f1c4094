import { basename, join, relative } from "node:path";
import { runOfWorkTree } from "../evidence/run-name.ts";
import { realPathToCome } from "../paths/real-path.ts";
import { findRepository, linkedTrees, type Repository, type WorkTree } from "./repository.ts";

/** Where the work of a run stands. */
export type RunPlace = {
  /** Its name; none for the project area's own run. */
  readonly run?: string;
  /** Its content is saved here, and checks look here. */
  readonly area: string;
  /** Its history is kept here. */
  readonly history: string;
  /** Work trees of its name: where there are several, their branches come to one name. */
  readonly trees: readonly string[];
};

/** Finds where runs stand: those of a linked work tree have their files there and their history with the main one. */
export type RunPlaces = {
  /** A call begins: what git says is asked anew. */
  begin(): void;
  /** The run that is meant in a project area where none is named: that of the linked work tree it lies in, else its own, which has no name. */
  here(area: string): Promise<string | undefined>;
  /** The place of a run as seen from a project area; without a name, of the area's own. */
  of(area: string, run: string | undefined): Promise<RunPlace>;
  /** The same path in the main work tree, where it lies in a linked one. */
  inMain(path: string): Promise<string>;
};

/** The places of a project area that is no work tree: everything stands in it, whatever it lies in. */
export function placesOfOne(): RunPlaces {
  return {
    begin() {},
    here: async () => undefined,
    of: async (area, run) => ({ ...(run === undefined ? {} : { run }), area, history: area, trees: [] }),
    inMain: async (path) => path,
  };
}

/** Where there is no repository, one may still come: so often, in milliseconds, it is looked for again. */
const betweenLooks = 2000;

export function runPlaces(): RunPlaces {
  const repositories = new Map<string, { readonly found: Promise<Repository | undefined>; readonly at: number }>();
  /** What git says of its work trees, once a call; where nobody says when one begins, it is asked each time. */
  const trees = new Map<string, Promise<readonly WorkTree[]>>();
  let isInCall = false;
  /** What the run of a work tree was called last: one that was removed under a server is not another for it. */
  const names = new Map<string, string>();

  async function repositoryOf(folder: string): Promise<Repository | undefined> {
    const known = repositories.get(folder);
    if (known !== undefined && ((await known.found) !== undefined || performance.now() - known.at < betweenLooks))
      return known.found;
    const found = findRepository(folder);
    repositories.set(folder, { found, at: performance.now() });
    return found;
  }

  function treesOf({ common }: Repository): Promise<readonly WorkTree[]> {
    const known = trees.get(common) ?? linkedTrees(common);
    if (isInCall) trees.set(common, known);
    return known;
  }

  async function inTree({ here }: Repository, tree: string, path: string): Promise<string> {
    return join(tree, relative(here, await realPathToCome(path)));
  }

  async function inMain(path: string): Promise<string> {
    const repository = await repositoryOf(path);
    return repository === undefined || isMain(repository) ? path : inTree(repository, repository.main, path);
  }

  async function treeHere(repository: Repository): Promise<WorkTree | undefined> {
    return (await treesOf(repository)).find(({ folder }) => folder === repository.here);
  }

  return {
    begin() {
      isInCall = true;
      trees.clear();
    },
    inMain,
    async here(area) {
      const repository = await repositoryOf(area);
      if (repository === undefined || isMain(repository)) return undefined;
      const here = await treeHere(repository);
      const name = here === undefined ? names.get(repository.here) : nameOf(here);
      if (name !== undefined) names.set(repository.here, name);
      return name ?? runOfWorkTree(basename(repository.here));
    },
    async of(area, run) {
      const history = await inMain(area);
      const repository = await repositoryOf(area);
      if (run === undefined) return { area: history, history, trees: [] };
      if (repository === undefined) return { run, area, history, trees: [] };
      const here = await treeHere(repository);
      const named = (await treesOf(repository)).filter((one) => nameOf(one) === run);
      const folders = named.map(({ folder }) => folder);
      // Where two branches come to one name, whoever is in one of them means that one.
      const tree = folders.find((folder) => folder === here?.folder) ?? folders[0];
      // A work tree that is gone takes no more files: they go where its history is.
      const elsewhere = here === undefined && !isMain(repository) ? history : area;
      return {
        run,
        area: tree === undefined ? elsewhere : await inTree(repository, tree, area),
        history,
        trees: folders,
      };
    },
  };
}

function isMain({ here, main }: Repository): boolean {
  return here === main;
}

function nameOf({ branch, folder }: WorkTree): string {
  return runOfWorkTree(branch ?? basename(folder));
}
