import { basename, join } from "node:path";
import { tellsAhead } from "../discretion/tells-ahead.ts";
import { listFolder } from "../folder.ts";
import { lineIn } from "../json-place.ts";
import type { Complaint } from "../phases/complaint.ts";
import { readPhased } from "../phases/read-phased.ts";
import { phaseNumber } from "../phases/workflow-folder.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import type { Noted } from "./finding.ts";
import { inspectGateIn } from "./inspect-gates.ts";
import type { Survey } from "./survey.ts";

/** Reports everything that is wrong with phased workflows: what keeps them from starting, and what they mean otherwise than written. */
export function inspectWorkflows({ definitions }: Survey): Noted[] {
  const { places } = workflowPlaces(definitions);
  const types = [...new Set(places.map(({ type }) => type))];
  return [
    ...types.flatMap((type) =>
      tellsAhead(readPhased(definitions, definitions, type, {}).draft?.phases ?? [], definitions).flatMap(note),
    ),
    ...types.flatMap((type) => (readPhased(definitions, definitions, type, {}).draft?.complaints ?? []).flatMap(note)),
    ...places
      .filter(({ kind }) => kind === "folder")
      .flatMap(({ path }) => phaseFolders(path).flatMap((folder) => inspectGateIn(definitions, folder))),
  ];
}

function phaseFolders(
  workflow: string,
): { readonly path: string; readonly files: readonly string[]; readonly folders: readonly string[] }[] {
  const phases = join(workflow, "phases");
  return listFolder(phases)
    .folders.filter((name) => phaseNumber(name) !== undefined)
    .map((name) => ({ path: join(phases, name), ...listFolder(join(phases, name)) }));
}

/** The line of a complaint; of a key in metadata.json, where that stands. */
export function complaintLine({ path, line, key }: Complaint): number {
  return basename(path) === "metadata.json" && key !== undefined ? lineIn(path, [key]) : line;
}

/** What other inspections report by themselves, with more to say, is left to them. */
function note(complaint: Complaint): Noted[] {
  const { code, path, message, fix } = complaint;
  if (code === "malformed-json" || code === "closed-gate") return [];
  return [{ code, path, line: complaintLine(complaint), message, fix }];
}
