import { sourcedRules } from "../check/placed-checks.ts";
import { type Surroundings, surveyDefinitions } from "../check/survey.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import { readInside } from "../stand.ts";

/** How much was checked. */
export type Counted = {
  readonly bots: number;
  readonly behaviors: number;
  readonly actions: number;
  readonly rules: number;
  readonly workflows: number;
  readonly phases: number;
  readonly standards: number;
};

/** Counts what a definitions folder holds, shared actions and rules once. */
export function countDefinitions(definitionsFolder: string, { standards }: Surroundings): Counted {
  const { bots } = surveyDefinitions(definitionsFolder);
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
    ...readInside(definitionsFolder, () => countPhased(definitionsFolder)),
    standards: standards.files.length,
  };
}

function countPhased(definitions: string): Pick<Counted, "workflows" | "phases"> {
  const types = [...new Set(workflowPlaces(definitions).places.map(({ type }) => type))];
  const phases = types.map((type) => readPhased(definitions, definitions, type, {}).draft?.phases.length ?? 0);
  return { workflows: types.length, phases: phases.reduce((sum, count) => sum + count, 0) };
}
