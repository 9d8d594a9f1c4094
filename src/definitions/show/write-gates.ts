import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../evidence/json.ts";
import { listFolder } from "../folder.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import type { Phase } from "../phases/phased-workflow.ts";
import { readPhased } from "../phases/read-phased.ts";
import { gatesBeside, type WorkflowPlace, workflowPlaces } from "../phases/workflow-places.ts";
import { shownIn } from "../shown.ts";
import { readInside } from "../stand.ts";
import { gateText } from "./write-gate.ts";

/** The gate files that were written, and those that stood there already; or why none was. */
export type GatesWritten =
  | { readonly written: readonly string[]; readonly kept: readonly string[] }
  | { readonly refused: string }
  | { readonly known: readonly string[] };

/** Writes what was read from the documents of a workflow as gate files; never over one that stands there, nor while a gate is closed. */
export function writeGates(definitions: string, projectArea: string, type: string, options: JsonObject): GatesWritten {
  const { draft, place, isDynamic } = readInside(definitions, () =>
    readPhased(definitions, projectArea, type, options),
  );
  if (draft === undefined || place === undefined)
    return { known: workflowPlaces(definitions).places.map((one) => one.type) };
  const closing = draft.complaints.filter(({ closes }) => closes);
  const [first] = closing;
  if (first !== undefined)
    return {
      refused: `${closing.length === 1 ? "one thing keeps" : `${closing.length} things keep`} ${type} from starting, and a gate that is not understood cannot be written down: ${shownIn(definitions, first.path)}:${first.line} ${first.message}`,
    };
  const own = draft.phases.filter(({ sources }) => isIn(definitions, sources));
  if (own.length === 0 && isDynamic)
    return {
      refused: `${type} takes its phases from a task list that each session names; its gates stand in that list`,
    };
  const places = own.map((phase) => ({ phase, folder: folderOf(phase, place, definitions) }));
  const isThere = (folder: string): boolean => gateFilesIn(listFolder(folder)).length > 0;
  const kept = places.filter(({ folder }) => isThere(folder)).map(({ folder }) => fileIn(folder));
  const missing = places.filter(({ folder }) => !isThere(folder));
  for (const { phase, folder } of missing) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(fileIn(folder), gateText(phase.gate), { flag: "wx" });
  }
  const shown = (path: string): string => shownIn(definitions, path);
  return { written: missing.map(({ folder }) => shown(fileIn(folder))), kept: kept.map(shown) };
}

/** A phase of the definitions has its file there; one of a task list has it in the project. */
function isIn(definitions: string, [source]: readonly string[]): boolean {
  return source !== undefined && existsSync(join(definitions, source));
}

function folderOf({ number, sources: [source = ""] }: Phase, place: WorkflowPlace, definitions: string): string {
  return place.kind === "file" ? gatesBeside(place.path, number) : dirname(join(definitions, source));
}

function fileIn(folder: string): string {
  return join(folder, "gate-definition.yaml");
}
