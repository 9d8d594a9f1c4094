import { basename, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { defined } from "../../kit/defined.ts";
import { didYouMean } from "../files/near-miss.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { type Listing, listFolder } from "../snapshot/list-folder.ts";
import { actionConfigFile, readActionConfig } from "./action-config-file.ts";
import { normalizeName } from "./definition-names.ts";
import type { ActionFolder, ActionOverride, BehaviorFolder, BotTree } from "./tree.ts";

/** Finds the action that a behavior's folder belongs to, by the action's name or its folder's. */
export type FindAction = (folderName: string) => string | undefined;

/** Creates the finder for some base actions; a behavior's list may name more. */
export function actionFinder(actions: readonly ActionFolder[]): FindAction {
  const names = new Map(actions.map(({ name, folder }) => [normalizeName(basename(folder)), name]));
  for (const { name } of actions) names.set(name, name);
  return (folderName) => names.get(normalizeName(folderName));
}

/** Reads a behavior's overrides of single actions: a config or a gate. */
export function readOverrides(
  definitions: DefinitionSnapshot,
  behaviorFolder: string,
  folders: readonly string[],
  actionOf: FindAction,
): { readonly overrides: readonly ActionOverride[]; readonly problems: readonly LoaderProblem[] } {
  const overrides: ActionOverride[] = [];
  const problems: LoaderProblem[] = [];
  for (const entry of folders) {
    const name = actionOf(entry);
    if (name === undefined) continue;
    const folder = join(behaviorFolder, entry);
    const listing = listFolder(definitions, folder);
    if (!saysSomething(listing)) continue;
    if (!listing.files.includes(actionConfigFile)) {
      overrides.push({ name, folder });
      continue;
    }
    const { config, broken, problems: found } = readActionConfig(definitions, folder);
    problems.push(...found);
    overrides.push({ name, folder, config: { ...config, name }, ...defined({ broken }) });
  }
  return { overrides, problems };
}

/** Finds override folders that have no effect, for example a gate for a misspelled action. */
export function findIdleOverrides(tree: BotTree): readonly LoaderProblem[] {
  const actionOf = actionFinder(tree.actions);
  const names = tree.actions.map((action) => action.name);
  return tree.behaviors.flatMap(({ name, folder, actions }: BehaviorFolder) =>
    (folder === undefined ? [] : listFolder(tree.definitions, folder).folders)
      .filter(
        (entry) => actionOf(entry) === undefined && !actions?.some((listed) => listed.name === normalizeName(entry)),
      )
      .map((entry) => join(folder ?? "", entry))
      .filter((idle) => saysSomething(listFolder(tree.definitions, idle)))
      .map((idle) => {
        const action = normalizeName(basename(idle));
        return locateProblem(tree.definitions, idle, {
          code: "idle-override",
          message: `the folder has no effect: ${name} has no action ${action}${didYouMean(action, names)}`,
          fix: "Rename the folder to an existing action, or delete it.",
        });
      }),
  );
}

/** True if a folder can change something; an unreadable one may hold a gate. */
function saysSomething(listing: Listing): boolean {
  return (
    listing.unreadable !== undefined || listing.files.includes(actionConfigFile) || gateFilesIn(listing).length > 0
  );
}
