import { basename, join } from "node:path";
import { type Listing, listFolder } from "../folder.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { didYouMean } from "../near-miss.ts";
import { type Flaw, flawIn } from "../problem.ts";
import { actionConfigFile, readActionConfig } from "./action-config-file.ts";
import { asName } from "./names.ts";
import { definitionsOf } from "./place.ts";
import type { ActionFolder, ActionOverride, BehaviorFolder, BotTree } from "./tree.ts";

/** Finds the action that a behavior's folder belongs to: by the action's name, or by the name of its own folder. */
export type FindAction = (folderName: string) => string | undefined;

/** Makes the finder for some base actions; a behavior's own list may name more. */
export function actionFinder(actions: readonly ActionFolder[]): FindAction {
  const names = new Map(actions.map(({ name, folder }) => [asName(basename(folder)), name]));
  for (const { name } of actions) names.set(name, name);
  return (folderName) => names.get(asName(folderName));
}

/** Reads what the folders of a behavior say about single actions: a config, or a gate. */
export function readOverrides(
  definitions: string,
  behaviorFolder: string,
  folders: readonly string[],
  actionOf: FindAction,
): { readonly overrides: readonly ActionOverride[]; readonly problems: readonly Flaw[] } {
  const overrides: ActionOverride[] = [];
  const problems: Flaw[] = [];
  for (const entry of folders) {
    const name = actionOf(entry);
    if (name === undefined) continue;
    const folder = join(behaviorFolder, entry);
    const listing = listFolder(folder);
    if (!saysSomething(listing)) continue;
    if (!listing.files.includes(actionConfigFile)) {
      overrides.push({ name, folder });
      continue;
    }
    const { config, broken, problems: found } = readActionConfig(definitions, folder);
    problems.push(...found);
    overrides.push({ name, folder, config: { ...config, name }, ...(broken === undefined ? {} : { broken }) });
  }
  return { overrides, problems };
}

/** Finds the folders of behaviors that change nothing, though their author believes that they do: a gate, say, for a misspelt action. */
export function findIdleOverrides(tree: BotTree): readonly Flaw[] {
  const definitions = definitionsOf(tree);
  const actionOf = actionFinder(tree.actions);
  const names = tree.actions.map((action) => action.name);
  return tree.behaviors.flatMap(({ name, folder, actions }: BehaviorFolder) =>
    (folder === undefined ? [] : listFolder(folder).folders)
      .filter((entry) => actionOf(entry) === undefined && !actions?.some((listed) => listed.name === asName(entry)))
      .map((entry) => join(folder ?? "", entry))
      .filter((idle) => saysSomething(listFolder(idle)))
      .map((idle) => {
        const action = asName(basename(idle));
        return flawIn(definitions, idle, {
          code: "idle-override",
          message: `it changes nothing: ${name} has no action ${action}${didYouMean(action, names)}`,
          fix: "Name the folder as an action, or delete it.",
        });
      }),
  );
}

/** An unreadable folder may hold a gate. */
function saysSomething(listing: Listing): boolean {
  return (
    listing.unreadable !== undefined || listing.files.includes(actionConfigFile) || gateFilesIn(listing).length > 0
  );
}
