import { basename, join } from "node:path";
import type { Problem } from "../../workflow/workflow.ts";
import { listFolder } from "../folder.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { shownIn } from "../shown.ts";
import { wholeConfig } from "./action-config.ts";
import { actionConfigFile, readActionConfig } from "./action-config-file.ts";
import { asName, byName, byNumber } from "./names.ts";
import type { ActionFolder } from "./tree.ts";

/** Reads the actions of several folders, nearest first: of two with one name the nearest counts. */
export function readActions(
  definitions: string,
  layers: readonly string[],
): {
  readonly actions: readonly ActionFolder[];
  readonly broken: readonly Problem[];
  readonly problems: readonly Problem[];
} {
  const actions = new Map<string, ActionFolder>();
  const broken: Problem[] = [];
  const problems: Problem[] = [];
  for (const layer of layers) {
    const nearer = new Set(actions.keys());
    const { folders, unreadable } = listFolder(layer);
    if (unreadable !== undefined) broken.push({ file: shownIn(definitions, layer), message: unreadable });
    for (const entry of [...folders].sort(byNumber)) {
      const read = readAction(definitions, join(layer, entry));
      const { name, stray } = read.action;
      const known = actions.get(name);
      if (known === undefined || (known.stray && !stray)) actions.set(name, read.action);
      else if (!stray && !nearer.has(name))
        problems.push({
          file: shownIn(definitions, read.action.folder),
          message: `a second action is named ${name}; the one in ${shownIn(definitions, known.folder)} counts`,
        });
      problems.push(...read.problems);
    }
  }
  const sorted = [...actions.values()].sort((a, b) => byName(a.name, b.name));
  return { actions: sorted, broken, problems: [...problems, ...sharedOrders(definitions, sorted)] };
}

function readAction(
  definitions: string,
  folder: string,
): { readonly action: ActionFolder; readonly problems: readonly Problem[] } {
  const fromFolder = asName(basename(folder));
  const { config, broken, problems } = readActionConfig(definitions, folder);
  if (broken === undefined) {
    const whole = wholeConfig(fromFolder, config);
    return { action: { name: whole.name, folder, config: whole, stray: false }, problems };
  }
  const listing = listFolder(folder);
  const stray =
    gateFilesIn(listing).length === 0 &&
    !listing.files.some((file) => file === actionConfigFile || /^instructions\b/i.test(file));
  return { action: { name: fromFolder, folder, broken, stray }, problems };
}

function sharedOrders(definitions: string, actions: readonly ActionFolder[]): Problem[] {
  const first = new Map<number, string>();
  return actions.flatMap(({ name, folder, config }): Problem[] => {
    if (config === undefined || !config.workflow || config.order === null) return [];
    const other = first.get(config.order);
    if (other === undefined) first.set(config.order, name);
    if (other === undefined) return [];
    const file = shownIn(definitions, join(folder, actionConfigFile));
    return [{ file, message: `${name} has the same order as ${other} (${config.order}); they go by name` }];
  });
}
