import { readPhased } from "../../definitions/phases/read-phased.ts";
import { workflowLocations } from "../../definitions/phases/workflow-locations.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";

/** A workflow with gates in prose, and their number. */
export type ProseGates = { readonly workflow: string; readonly gates: number };

/** Finds the workflows with gates in prose, which `--write-gates` can turn into gate files. */
export function proseGates(definitions: DefinitionSnapshot): readonly ProseGates[] {
  const types = [...new Set(workflowLocations(definitions).places.map(({ type }) => type))];
  return types.flatMap((workflow) => {
    const phases = readPhased(definitions, workflow).draft?.phases ?? [];
    const gates = phases.filter(({ gate }) =>
      [...gate.requirements, ...gate.comparisons].some(({ source }) => source?.file.endsWith(".md")),
    ).length;
    return gates === 0 ? [] : [{ workflow, gates }];
  });
}
