import { allPhases, readAllPhased } from "../../definitions/phases/read-phased.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type CheckContext, loadForCheck } from "../load-for-check.ts";
import { sourcedRules } from "../located-checks.ts";

/** The number of definitions that were checked. */
export type DefinitionCounts = {
  readonly bots: number;
  readonly behaviors: number;
  readonly actions: number;
  readonly rules: number;
  readonly workflows: number;
  readonly phases: number;
  readonly standards: number;
};

/** Counts the definitions in a folder, shared actions and rules once. */
export function countDefinitions(definitions: DefinitionSnapshot, { standards }: CheckContext): DefinitionCounts {
  const { bots } = loadForCheck(definitions);
  const trees = bots.map(({ tree }) => tree);
  const actions = trees.flatMap((tree) => tree.actions.filter(({ stray }) => !stray).map(({ folder }) => folder));
  const rules = trees.flatMap((tree) =>
    tree.behaviors.flatMap((behavior) =>
      sourcedRules(tree, behavior).map(({ path, at }) => JSON.stringify([path, at])),
    ),
  );
  return {
    bots: trees.length,
    behaviors: trees.flatMap(({ behaviors }) => behaviors).length,
    actions: new Set(actions).size,
    rules: new Set(rules).size,
    workflows: readAllPhased(definitions).size,
    phases: allPhases(definitions).length,
    standards: standards.files.length,
  };
}
