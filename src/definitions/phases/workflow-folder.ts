import { join } from "node:path";
import { listFolder } from "../folder.ts";
import { type Complaint, complaint, ofPhase } from "./complaint.ts";
import type { FilePlace } from "./link.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import { numberingComplaints } from "./numbering.ts";
import { readPhaseFolder } from "./phase-folder.ts";
import type { Draft } from "./phased-workflow.ts";

/** Reads a workflow's folder: its metadata, and the phases that really stand in it. */
export function readWorkflowFolder(type: string, place: FilePlace): Draft & { readonly metadata: Metadata } {
  const metadataPath = join(place.path, "metadata.json");
  const { metadata, complaints } = readMetadata(metadataPath);
  const folder = join(place.path, "phases");
  const { folders, unreadable } = listFolder(folder);
  const read = folders
    .flatMap((name) => {
      const number = phaseNumber(name);
      const [file, source] = [`${place.file}/phases/${name}`, `${place.source}/phases/${name}`];
      if (number === undefined) return [];
      return [readPhaseFolder(number, { path: join(folder, name), file, source }, metadata.phases.get(number) ?? "")];
    })
    .sort((a, b) => a.phase.number - b.phase.number);
  const phases = read.map(({ phase }) => phase);
  const numbers = phases.map(({ number }) => number);
  return {
    type,
    metadata,
    title: metadata.title ?? type,
    description: metadata.description,
    phases,
    complaints: [
      ...complaints,
      ...(unreadable === undefined
        ? []
        : [complaint("cannot-be-used", folder, unreadable, "Make the folder readable.")]),
      ...folders.flatMap((name) => unnumbered(join(folder, name), name)),
      ...(metadata.isDynamic
        ? []
        : [...numberingComplaints(numbers, folder, false), ...totalComplaints(numbers, metadata, metadataPath)]),
      ...read.flatMap(({ phase, complaints }) => ofPhase(phase.number, complaints)),
    ],
  };
}

/** The number of a phase's folder: `3`, `03`, `1-analysis`, `phase-1`, `01_survey`. */
export function phaseNumber(folder: string): number | undefined {
  const digits = /^(?:phase[-_ ]?)?(\d{1,4})(?:[-_ .].*)?$/i.exec(folder)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A phase that nobody walks through is a gate that nobody passes. */
function unnumbered(path: string, name: string): Complaint[] {
  const hasPhase = listFolder(path).files.some((file) => file.toLowerCase() === "phase.md");
  if (phaseNumber(name) !== undefined || !hasPhase) return [];
  const message = `the folder ${name} holds a phase and has no number`;
  return [complaint("unnumbered-phase", path, message, "Name it by the number of its phase.")];
}

/** A workflow that promises more phases than it has would end too early. */
function totalComplaints(numbers: readonly number[], { total, phases: listed }: Metadata, path: string): Complaint[] {
  const count = numbers.length;
  const lacking = [...listed.keys()].filter((number) => !numbers.includes(number));
  const promised = Math.max(total ?? count, listed.size);
  if (count === 0 || (promised === count && lacking.length === 0)) return [];
  const isMore = promised > count || lacking.length > 0;
  const message =
    lacking.length > 0
      ? `metadata.json lists phases that have no folder: ${lacking.join(", ")}`
      : `metadata.json speaks of ${promised} phases, and there are ${count}`;
  const code = isMore ? "missing-phase" : "phase-count-differs";
  const key = lacking.length > 0 || total === undefined ? "phases" : "total_phases";
  return [complaint(code, path, message, "Write the missing phases, or mend the number.", { key, closes: isMore })];
}
