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
      const problem = globProblem(glob) ?? matchesNothing(glob);
      if (problem === undefined) return [];
      const { file = "", line = 1 } = gate?.editsSource ?? {};
      const path = join(dirname(definitions), file);
      return [
        {
          code: "unusable-edits",
          path,
          line,
          message: `edits: ${problem}`,
          fix: /^[^*?[{]*\/$/.test(glob)
            ? `Write ${glob}** for all that is in the folder.`
            : "Mend it: as it is, no file matches it.",
        },
      ];
    }),
  );
}

/** Why a glob that is understood matches no file that an assistant could change. */
function matchesNothing(glob: string): string | undefined {
  const said = JSON.stringify(glob);
  if (glob !== glob.trim()) return `${said} has blanks at its end or its beginning, and no file is named so`;
  if (glob.startsWith("~")) return `${said} names a home folder; globs are relative to the project area`;
  if (glob.endsWith("/")) return `${said} names a folder, and matches no file in it`;
  if (
    glob
      .replace(/^\.\//, "")
      .split("/")
      .some((part) => part === "" || part === ".")
  )
    return `${said} has an empty part or a dot between slashes, and no path does`;
  if (/^(\.\/)?(\.waymark(\/|$)|(workflow_state|activity_log)\.json$)/i.test(glob))
    return `${said} names what is Waymark's own, which no step may change`;
  return undefined;
}
