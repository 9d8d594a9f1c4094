import { dirname, join } from "node:path";
import { gateFilesIn, readGateIn } from "../../definitions/gates/gate-file.ts";
import { allPhases } from "../../definitions/phases/read-phased.ts";
import type { Gate } from "../../gates/gate.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports `edits` globs that match no file, since they would deny every edit. */
export function inspectEdits(
  { definitions, folders }: DefinitionsSurvey,
  { globProblem }: CheckContext,
): ReportedFinding[] {
  const gates: readonly (Gate | undefined)[] = [
    ...folders
      .filter((folder) => gateFilesIn(folder).length > 0)
      .map((folder) => readGateIn(definitions, folder.path, "phase")),
    ...allPhases(definitions).map(({ gate }) => gate),
  ];
  return gates.flatMap((gate) =>
    (gate?.edits ?? []).flatMap((glob): ReportedFinding[] => {
      const problem = globProblem(glob) ?? matchesNothing(glob);
      if (problem === undefined) return [];
      const { file = "", line = 1 } = gate?.editsSource ?? {};
      const path = join(dirname(definitions.folder), file);
      return [
        {
          code: "unusable-edits",
          path,
          line,
          message: `edits: ${problem}`,
          fix: /^[^*?[{]*\/$/.test(glob)
            ? `Write ${glob}** to match everything in the folder.`
            : "Fix it; no file matches it.",
        },
      ];
    }),
  );
}

/** Explains why a valid glob matches no file that an assistant may change. */
function matchesNothing(glob: string): string | undefined {
  const said = JSON.stringify(glob);
  if (glob !== glob.trim()) return `${said} starts or ends with spaces, so it matches no file`;
  if (glob.startsWith("~")) return `${said} points to a home folder, but globs are relative to the project area`;
  if (glob.endsWith("/")) return `${said} names a folder and matches no file in it`;
  if (
    glob
      .replace(/^\.\//, "")
      .split("/")
      .some((part) => part === "" || part === ".")
  )
    return `${said} has an empty or "." segment, so it matches no path`;
  if (/^(\.\/)?(\.waymark(\/|$)|(workflow_state|activity_log)\.json$)/i.test(glob))
    return `${said} names Waymark's own files, which no step may change`;
  return undefined;
}
