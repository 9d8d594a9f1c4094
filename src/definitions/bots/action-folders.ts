import { basename, join } from "node:path";
import { listFolder } from "../folder.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { type Flaw, flawIn, unreadableFolder } from "../problem.ts";
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
  readonly broken: readonly Flaw[];
  readonly problems: readonly Flaw[];
} {
  const actions = new Map<string, ActionFolder>();
  const broken: Flaw[] = [];
  const problems: Flaw[] = [];
  for (const layer of layers) {
    const nearer = new Set(actions.keys());
    const { folders, unreadable } = listFolder(layer);
    if (unreadable !== undefined) broken.push(flawIn(definitions, layer, unreadableFolder(unreadable)));
    for (const entry of [...folders].sort(byNumber)) {
      const read = readAction(definitions, join(layer, entry));
      const { name, stray } = read.action;
      const known = actions.get(name);
      if (known === undefined || (known.stray && !stray)) actions.set(name, read.action);
      else if (!stray && !nearer.has(name))
        problems.push(
          flawIn(definitions, read.action.folder, {
            code: "duplicate-action",
            message: `a second action is named ${name}; the one in ${shownIn(definitions, known.folder)} counts`,
            fix: "Rename this action, or delete its folder.",
          }),
        );
      problems.push(...read.problems);
    }
  }
  const sorted = [...actions.values()].sort((a, b) => byName(a.name, b.name));
  return { actions: sorted, broken, problems: [...problems, ...sharedOrders(definitions, sorted)] };
}

function readAction(
  definitions: string,
  folder: string,
): { readonly action: ActionFolder; readonly problems: readonly Flaw[] } {
  const fromFolder = asName(basename(folder));
  const { config, broken, problems } = readActionConfig(definitions, folder);
  if (broken === undefined) {
    const whole = wholeConfig(fromFolder, config);
    return { action: { name: whole.name, folder, config: whole, stray: false }, problems };
  }
  const listing = listFolder(folder);
  const stray =
    listing.unreadable === undefined && // such a folder may hold anything
    gateFilesIn(listing).length === 0 &&
    !listing.files.some((file) => file === actionConfigFile || /^instructions\b/i.test(file));
  return { action: { name: fromFolder, folder, broken, stray }, problems };
}

function sharedOrders(definitions: string, actions: readonly ActionFolder[]): Flaw[] {
  const first = new Map<number, string>();
  return actions.flatMap(({ name, folder, config }): Flaw[] => {
    if (config === undefined || !config.workflow || config.order === null) return [];
    const other = first.get(config.order);
    if (other === undefined) first.set(config.order, name);
    if (other === undefined) return [];
    return [
      flawIn(definitions, join(folder, actionConfigFile), {
        code: "duplicate-order",
        at: ["order"],
        message: `${name} has the same order as ${other} (${config.order}); they go by name`,
        fix: "Give each action an order of its own.",
      }),
    ];
  });
}
