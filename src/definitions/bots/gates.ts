import type { Gate } from "../../evidence/gate.ts";
import { addUp } from "../../evidence/gate-sum.ts";
import { readGateIn } from "../gates/gate-file.ts";
import { definitionsOf } from "./place.ts";
import type { BotTree, ReadGate } from "./tree.ts";

/** Makes the reader of a bot's gates at this moment: what an action's own gate asks for, and what a behavior's gate for it adds. */
export function gatesOf(tree: BotTree): ReadGate {
  const definitions = definitionsOf(tree);
  const folders = new Map(tree.actions.map(({ name, folder }) => [name, folder]));
  const read = new Map<string, Gate | undefined>();
  const readOnce = (folder: string): Gate | undefined => {
    if (!read.has(folder)) read.set(folder, readGateIn(folder, definitions));
    return read.get(folder);
  };
  return (behavior, action) => {
    const overrides = (behavior.overrides ?? []).filter(({ name }) => name === action).map(({ folder }) => folder);
    const base = folders.get(action);
    const gates = [...(base === undefined ? [] : [base]), ...overrides].flatMap((folder) => readOnce(folder) ?? []);
    return gates.length === 0 ? undefined : gates.reduce(addUp);
  };
}
