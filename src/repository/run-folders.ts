import { basename, join, relative } from "node:path";
import { defined } from "../kit/defined.ts";
import { realPathOfNew } from "../kit/real-path.ts";
import { runOfWorkTree } from "../workflow/run-name.ts";
import { findRepository, linkedTrees, type Repository, sideBranch, type WorkTree } from "./repository.ts";

/** The folders of a run. */
export type RunFolders = {
  /** Its name; none for the project area's default run. */
  readonly run?: string;
  /** The folder where content is saved and checks run. */
  readonly area: string;
  /** The folder of its history. */
  readonly history: string;
  /** The work trees with its name; several if their branches normalize to the same name. */
  readonly trees: readonly string[];
};

/** Finds the folders of runs: a linked work tree's run has its files there and its history with the main one. */
export type RunFolderFinder = {
  /** Starts a call: git is asked again. */
  begin(): void;
  /** The default run of a project area: that of its linked work tree or committed branch, else the unnamed one. */
  here(area: string): Promise<string | undefined>;
  /** The folders of a run as seen from a project area; without a name, of the area's default run. */
  of(area: string, run: string | undefined): Promise<RunFolders>;
  /** The same path in the main work tree, if it is in a linked one. */
  inMain(path: string): Promise<string>;
};

/** The folders of a project area that is not a work tree: everything is in it. */
export function singleAreaFolders(): RunFolderFinder {
  return {
    begin() {},
    here: async () => undefined,
    of: async (area, run) => ({ ...defined({ run }), area, history: area, trees: [] }),
    inMain: async (path) => path,
  };
}

/** The interval for looking for a repository again, in milliseconds. */
const betweenLooks = 2000;

/** Opens the finder; where git keeps the histories, the main work tree's default run too is named after a side branch. */
export function findRunFolders(isCommitted: () => Promise<boolean> = async () => false): RunFolderFinder {
  const repositories = new Map<string, { readonly found: Promise<Repository | undefined>; readonly at: number }>();
  /** Git's work trees, cached per call; asked each time if calls are not announced. */
  const trees = new Map<string, Promise<readonly WorkTree[]>>();
  let isInCall = false;
  /** The last run name of each work tree, so that a removed one keeps its name while the server runs. */
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
    return join(tree, relative(here, await realPathOfNew(path)));
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
      if (repository === undefined) return undefined;
      if (isMain(repository)) {
        const branch = (await isCommitted()) ? await sideBranch(repository) : undefined;
        return branch === undefined ? undefined : runOfWorkTree(branch);
      }
      const here = await treeHere(repository);
      const name = here === undefined ? names.get(repository.here) : runNameOf(here);
      if (name !== undefined) names.set(repository.here, name);
      return name ?? runOfWorkTree(basename(repository.here));
    },
    async of(area, run) {
      const history = await inMain(area);
      const repository = await repositoryOf(area);
      if (run === undefined) return { area: history, history, trees: [] };
      if (repository === undefined) return { run, area, history, trees: [] };
      const here = await treeHere(repository);
      const named = (await treesOf(repository)).filter((one) => runNameOf(one) === run);
      const folders = named.map(({ folder }) => folder);
      // If two branches have the same run name, a caller inside one of them means that one.
      const tree = folders.find((folder) => folder === here?.folder) ?? folders[0];
      // Content of a removed work tree goes where its history is.
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

function runNameOf({ branch, folder }: WorkTree): string {
  return runOfWorkTree(branch ?? basename(folder));
}
