import type { Gate } from "../../workflow/gate.ts";
import { readGateIn } from "../gates/gate-file.ts";
import { definitionsOf } from "./place.ts";
import type { BotTree, ReadGate } from "./tree.ts";

/** Makes the reader of a bot's gates at this moment: a behavior's own gate for an action, else the one of the action itself. */
export function gatesOf(tree: BotTree): ReadGate {
  const definitions = definitionsOf(tree);
  const folders = new Map(tree.actions.map(({ name, folder }) => [name, folder]));
  const read = new Map<string, Gate | undefined>();
  const readOnce = (folder: string): Gate | undefined => {
    if (!read.has(folder)) read.set(folder, readGateIn(folder, definitions));
    return read.get(folder);
  };
  return (behavior, action) => {
    for (const override of behavior.overrides ?? []) {
      const own = override.name === action ? readOnce(override.folder) : undefined;
      if (own !== undefined) return own;
    }
    const base = folders.get(action);
    return base === undefined ? undefined : readOnce(base);
  };
}
