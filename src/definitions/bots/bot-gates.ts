import { combineGates } from "../../gates/combine-gates.ts";
import type { Gate } from "../../gates/gate.ts";
import { readGateIn } from "../gates/gate-file.ts";
import type { BotTree, ReadGate } from "./tree.ts";

/** Creates the reader of a bot's gates, which merges an action's gate with the behavior's gate for it. */
export function gatesOf(tree: BotTree): ReadGate {
  const folders = new Map(tree.actions.map(({ name, folder }) => [name, folder]));
  const read = new Map<string, Gate | undefined>();
  const readOnce = (folder: string): Gate | undefined => {
    if (!read.has(folder)) read.set(folder, readGateIn(tree.definitions, folder));
    return read.get(folder);
  };
  return (behavior, action) => {
    const overrides = (behavior.overrides ?? []).filter(({ name }) => name === action).map(({ folder }) => folder);
    const base = folders.get(action);
    const gates = [...(base === undefined ? [] : [base]), ...overrides].flatMap((folder) => readOnce(folder) ?? []);
    return gates.length === 0 ? undefined : gates.reduce(combineGates);
  };
}
