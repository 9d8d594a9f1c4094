import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import { readInside } from "../stand.ts";

/** A workflow with gates that are read from what its documents say, and how many they are. */
export type ProseGates = { readonly workflow: string; readonly gates: number };

/** Finds the workflows whose gates stand in prose: `--write-gates` makes files of them that an author can read and mend. */
export function proseGates(definitions: string): readonly ProseGates[] {
  return readInside(definitions, () => findProse(definitions));
}

function findProse(definitions: string): readonly ProseGates[] {
  const types = [...new Set(workflowPlaces(definitions).places.map(({ type }) => type))];
  return types.flatMap((workflow) => {
    const phases = readPhased(definitions, definitions, workflow, {}).draft?.phases ?? [];
    const gates = phases.filter(({ gate }) =>
      [...gate.requirements, ...gate.comparisons].some(({ source }) => source?.file.endsWith(".md")),
    ).length;
    return gates === 0 ? [] : [{ workflow, gates }];
  });
}
