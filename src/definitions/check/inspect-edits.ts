import { dirname, join } from "node:path";
import type { Gate } from "../../evidence/gate.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import type { Noted } from "./finding.ts";
import type { Surroundings, Survey } from "./survey.ts";

/** Reports the globs of `edits` that nobody can match a file with: everything would lie outside them. */
export function inspectEdits({ definitions, folders }: Survey, { globProblem }: Surroundings): Noted[] {
  const types = [...new Set(workflowPlaces(definitions).places.map(({ type }) => type))];
  const gates: readonly (Gate | undefined)[] = [
    ...folders
      .filter((folder) => gateFilesIn(folder).length > 0)
      .map((folder) => readGateIn(folder.path, definitions, "phase")),
    ...types.flatMap((type) =>
      (readPhased(definitions, definitions, type, {}).draft?.phases ?? []).map(({ gate }) => gate),
    ),
  ];
  return gates.flatMap((gate) =>
    (gate?.edits ?? []).flatMap((glob): Noted[] => {
      const problem = globProblem(glob);
      if (problem === undefined) return [];
      const { file = "", line = 1 } = gate?.editsSource ?? {};
      const path = join(dirname(definitions), file);
      return [
        {
          code: "unusable-edits",
          path,
          line,
          message: `edits: ${problem}`,
          fix: "Mend it: as it is, no file matches it.",
        },
      ];
    }),
  );
}
