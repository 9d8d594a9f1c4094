import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import type { FileLocation } from "./file-location.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import { numberingComplaints } from "./numbering.ts";
import { readPhaseFolder } from "./phase-folder.ts";
import type { WorkflowDraft } from "./phased-workflow.ts";
import { type WorkflowProblem, withPhase, workflowProblem } from "./workflow-problem.ts";

/** Reads a workflow's folder: its metadata, and the phases in it. */
export function readWorkflowFolder(
  definitions: DefinitionSnapshot,
  type: string,
  place: FileLocation,
): WorkflowDraft & { readonly metadata: Metadata } {
  const metadataPath = join(place.path, "metadata.json");
  const { metadata, complaints } = readMetadata(definitions, metadataPath);
  const folder = join(place.path, "phases");
  const { folders, unreadable } = listFolder(definitions, folder);
  const read = folders
    .flatMap((name) => {
      const number = phaseNumber(name);
      const [file, source] = [`${place.file}/phases/${name}`, `${place.source}/phases/${name}`];
      if (number === undefined) return [];
      return [
        readPhaseFolder(
          definitions,
          number,
          { path: join(folder, name), file, source },
          metadata.phases.get(number) ?? "",
        ),
      ];
    })
    .sort((a, b) => a.phase.number - b.phase.number);
  const phases = read.map(({ phase }) => phase);
  const numbers = phases.map(({ number }) => number);
  return {
    type,
    metadata,
    title: metadata.title ?? type,
    description: metadata.description,
    ...metadata.declared,
    phases,
    lines: read.flatMap(({ phase, lines }) => withPhase(phase.number, lines)),
    complaints: [
      ...complaints,
      ...(unreadable === undefined
        ? []
        : [workflowProblem("cannot-be-used", folder, unreadable, "Make the folder readable.")]),
      ...folders.flatMap((name) => unnumbered(definitions, join(folder, name), name)),
      ...(metadata.isDynamic
        ? []
        : [...numberingComplaints(numbers, folder), ...totalComplaints(numbers, metadata, metadataPath)]),
      ...read.flatMap(({ phase, complaints }) => withPhase(phase.number, complaints)),
    ],
  };
}

/** The number of a phase's folder: `3`, `03`, `1-analysis`, `phase-1`, `01_survey`. */
export function phaseNumber(folder: string): number | undefined {
  const digits = /^(?:phase[-_ ]?)?(\d{1,4})(?:[-_ .].*)?$/i.exec(folder)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Reports a phase's folder without a number, since no session would reach its gate. */
function unnumbered(definitions: DefinitionSnapshot, path: string, name: string): WorkflowProblem[] {
  const hasPhase = listFolder(definitions, path).files.some((file) => file.toLowerCase() === "phase.md");
  if (phaseNumber(name) !== undefined || !hasPhase) return [];
  const message = `the folder ${name} contains a phase but has no number`;
  return [workflowProblem("unnumbered-phase", path, message, "Name it after the number of its phase.")];
}

/** Reports a wrong number of phases; a workflow that announces more than it has would end too early. */
function totalComplaints(
  numbers: readonly number[],
  { total, phases: listed }: Metadata,
  path: string,
): WorkflowProblem[] {
  const count = numbers.length;
  const lacking = [...listed.keys()].filter((number) => !numbers.includes(number));
  const promised = Math.max(total ?? count, listed.size);
  if (count === 0 || (promised === count && lacking.length === 0)) return [];
  const isMore = promised > count || lacking.length > 0;
  const message =
    lacking.length > 0
      ? `metadata.json lists phases that have no folder: ${lacking.join(", ")}`
      : `metadata.json announces ${promised} phases, but there are ${count}`;
  const code = isMore ? "missing-phase" : "phase-count-differs";
  const key = lacking.length > 0 || total === undefined ? "phases" : "total_phases";
  return [
    workflowProblem(code, path, message, "Write the missing phases, or fix the number.", { key, closes: isMore }),
  ];
}
