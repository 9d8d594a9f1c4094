import { basename, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { type LoaderProblem, locateProblem, unreadableFolderProblem } from "../loader-problem.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { withDefaults } from "./action-config.ts";
import { actionConfigFile, readActionConfig } from "./action-config-file.ts";
import { compareByNumber, compareNames, normalizeName } from "./definition-names.ts";
import type { ActionFolder } from "./tree.ts";

/** Reads the actions of several folders, nearest first; for two with the same name the nearest counts. */
export function readActions(
  definitions: DefinitionSnapshot,
  layers: readonly string[],
): {
  readonly actions: readonly ActionFolder[];
  readonly broken: readonly LoaderProblem[];
  readonly problems: readonly LoaderProblem[];
} {
  const actions = new Map<string, ActionFolder>();
  const broken: LoaderProblem[] = [];
  const problems: LoaderProblem[] = [];
  for (const layer of layers) {
    const nearer = new Set(actions.keys());
    const { folders, unreadable } = listFolder(definitions, layer);
    if (unreadable !== undefined) broken.push(locateProblem(definitions, layer, unreadableFolderProblem(unreadable)));
    for (const entry of [...folders].sort(compareByNumber)) {
      const read = readAction(definitions, join(layer, entry));
      const { name, stray } = read.action;
      const known = actions.get(name);
      if (known === undefined || (known.stray && !stray)) actions.set(name, read.action);
      else if (!stray && !nearer.has(name))
        problems.push(
          locateProblem(definitions, read.action.folder, {
            code: "duplicate-action",
            message: `another action is also named ${name}; the one in ${displayPath(definitions.folder, known.folder)} counts`,
            fix: "Rename this action, or delete its folder.",
          }),
        );
      problems.push(...read.problems);
    }
  }
  const sorted = [...actions.values()].sort((a, b) => compareNames(a.name, b.name));
  return { actions: sorted, broken, problems: [...problems, ...sharedOrders(definitions, sorted)] };
}

function readAction(
  definitions: DefinitionSnapshot,
  folder: string,
): { readonly action: ActionFolder; readonly problems: readonly LoaderProblem[] } {
  const fromFolder = normalizeName(basename(folder));
  const { config, broken, problems } = readActionConfig(definitions, folder);
  if (broken === undefined) {
    const whole = withDefaults(fromFolder, config);
    return { action: { name: whole.name, folder, config: whole, stray: false }, problems };
  }
  const listing = listFolder(definitions, folder);
  const stray =
    listing.unreadable === undefined && // an unreadable folder may hold a config
    gateFilesIn(listing).length === 0 &&
    !listing.files.some((file) => file === actionConfigFile || /^instructions\b/i.test(file));
  return { action: { name: fromFolder, folder, broken, stray }, problems };
}

function sharedOrders(definitions: DefinitionSnapshot, actions: readonly ActionFolder[]): LoaderProblem[] {
  const first = new Map<number, string>();
  return actions.flatMap(({ name, folder, config }): LoaderProblem[] => {
    if (config === undefined || !config.workflow || config.order === null) return [];
    const other = first.get(config.order);
    if (other === undefined) first.set(config.order, name);
    if (other === undefined) return [];
    return [
      locateProblem(definitions, join(folder, actionConfigFile), {
        code: "duplicate-order",
        at: ["order"],
        message: `${name} has the same order as ${other} (${config.order}), so they are sorted by name`,
        fix: "Give each action its own order.",
      }),
    ];
  });
}
