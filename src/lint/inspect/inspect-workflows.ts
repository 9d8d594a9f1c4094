import { basename, dirname, join } from "node:path";
import { findRevealedPhases } from "../../definitions/disclosure/find-revealed-phases.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { callProblems } from "../../definitions/phases/called-workflows.ts";
import type { WorkflowDraft } from "../../definitions/phases/phased-workflow.ts";
import { readAllPhased } from "../../definitions/phases/read-phased.ts";
import { phaseNumber } from "../../definitions/phases/workflow-folder.ts";
import { workflowLocations } from "../../definitions/phases/workflow-locations.ts";
import { type WorkflowProblem, workflowProblem } from "../../definitions/phases/workflow-problem.ts";
import { listFolder } from "../../definitions/snapshot/list-folder.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { inspectGateIn } from "./inspect-gates.ts";

/** Reports everything wrong with phased workflows, including what keeps them from starting. */
export function inspectWorkflows({ definitions }: DefinitionsSurvey): ReportedFinding[] {
  const drafts = [...readAllPhased(definitions).values()].flatMap(({ draft }) => draft ?? []);
  const complaints = [
    ...drafts.flatMap(({ phases }) => findRevealedPhases(definitions, phases)),
    ...drafts.flatMap((draft) => draft.complaints),
    ...drafts.flatMap((draft) => calls(definitions, draft)),
  ];
  const folders = workflowLocations(definitions).places.filter(({ kind }) => kind === "folder");
  // a gate file beside a page is in no folder of a workflow
  const isInspected = ({ path }: WorkflowProblem): boolean => folders.some((folder) => isPathInside(folder.path, path));
  return [
    ...complaints
      .filter((one) => one.code !== "closed-gate" || !isInspected(one))
      .flatMap((one) => note(definitions, one)),
    ...folders.flatMap(({ path }) =>
      phaseFolders(definitions, path).flatMap((folder) => inspectGateIn(definitions, folder)),
    ),
  ];
}

/** Reports calls of workflows that cannot work. */
function calls(definitions: DefinitionSnapshot, draft: WorkflowDraft): WorkflowProblem[] {
  return callProblems(definitions, draft).map(({ file, message, fix, line, phase }) =>
    workflowProblem("broken-call", join(dirname(definitions.folder), file), message, fix, { line, phase }),
  );
}

function phaseFolders(
  definitions: DefinitionSnapshot,
  workflow: string,
): { readonly path: string; readonly files: readonly string[]; readonly folders: readonly string[] }[] {
  const phases = join(workflow, "phases");
  return listFolder(definitions, phases)
    .folders.filter((name) => phaseNumber(name) !== undefined)
    .map((name) => ({ path: join(phases, name), ...listFolder(definitions, join(phases, name)) }));
}

/** The line of a complaint; for a key in metadata.json, the line of that key. */
export function complaintLine(definitions: DefinitionSnapshot, { path, line, key }: WorkflowProblem): number {
  return basename(path) === "metadata.json" && key !== undefined ? lineOfPath(definitions, path, [key]) : line;
}

/** Turns a complaint into a finding, except those that other inspections report in more detail. */
function note(definitions: DefinitionSnapshot, complaint: WorkflowProblem): ReportedFinding[] {
  const { code: given, path, message, fix } = complaint;
  if (given === "malformed-json") return [];
  const code = given === "closed-gate" ? "gate-wrong-value" : given;
  return [{ code, path, line: complaintLine(definitions, complaint), message, fix }];
}
