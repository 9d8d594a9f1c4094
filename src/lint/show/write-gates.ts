import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gateFilesIn } from "../../definitions/gates/gate-file.ts";
import type { Phase } from "../../definitions/phases/phased-workflow.ts";
import { readPhased, readTaskListOf } from "../../definitions/phases/read-phased.ts";
import {
  gateFolderBeside,
  type WorkflowLocation,
  workflowLocations,
} from "../../definitions/phases/workflow-locations.ts";
import { displayPath } from "../../definitions/snapshot/display-path.ts";
import { listFolder } from "../../definitions/snapshot/list-folder.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { JsonObject } from "../../kit/json.ts";
import { gateText } from "./write-gate.ts";

/** The gate files that were written and those that already existed, or why none was written. */
export type WriteGatesResult =
  | { readonly written: readonly string[]; readonly kept: readonly string[] }
  | { readonly refused: string }
  | { readonly known: readonly string[] };

/** Writes the gates read from a workflow's documents as gate files; never overwrites one, nor writes while a gate is closed. */
export async function writeGates(
  definitions: DefinitionSnapshot,
  projectArea: string,
  type: string,
  options: JsonObject,
): Promise<WriteGatesResult> {
  const tasks = await readTaskListOf(definitions, projectArea, type, options);
  const { draft, place, isDynamic } = readPhased(definitions, type, tasks);
  if (draft === undefined || place === undefined)
    return { known: workflowLocations(definitions).places.map((one) => one.type) };
  const closing = draft.complaints.filter(({ closes }) => closes);
  const [first] = closing;
  if (first !== undefined)
    return {
      refused: `${closing.length === 1 ? "one error keeps" : `${closing.length} errors keep`} ${type} from starting, and only valid gates can be written: ${displayPath(definitions.folder, first.path)}:${first.line} ${first.message}`,
    };
  const own = draft.phases.filter(({ sources }) => isIn(definitions.folder, sources));
  if (own.length === 0 && isDynamic)
    return {
      refused: `${type} takes its phases and gates from a task list that each session names`,
    };
  const places = own.map((phase) => ({ phase, folder: folderOf(phase, place, definitions.folder) }));
  // a block in the page is a gate file already
  const isThere = ({ phase, folder }: (typeof places)[number]): boolean =>
    gateFilesIn(listFolder(definitions, folder)).length > 0 || phase.gate.isFromProse !== true;
  const kept = places.filter(isThere).map(({ folder }) => fileIn(folder));
  const missing = places.filter((one) => !isThere(one));
  for (const { phase, folder } of missing) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(fileIn(folder), gateText(phase.gate), { flag: "wx" });
  }
  const shown = (path: string): string => displayPath(definitions.folder, path);
  return { written: missing.map(({ folder }) => shown(fileIn(folder))), kept: kept.map(shown) };
}

/** True if a phase's file is in the definitions; that of a task list is in the project. */
function isIn(definitions: string, [source]: readonly string[]): boolean {
  return source !== undefined && existsSync(join(definitions, source));
}

function folderOf({ number, sources: [source = ""] }: Phase, place: WorkflowLocation, definitions: string): string {
  return place.kind === "file" ? gateFolderBeside(place.path, number) : dirname(join(definitions, source));
}

function fileIn(folder: string): string {
  return join(folder, "gate-definition.yaml");
}
