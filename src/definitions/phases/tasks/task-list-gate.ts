import type { PhaseSection } from "../markdown/sections.ts";
import { type PhaseGate, type PhaseLocation, phaseGate } from "../phase-gate.ts";
import { onlyAsked, readRequirements } from "../requirements/read-requirements.ts";
import type { DocumentTask } from "./document-tasks.ts";

/** The gate of a phase in a task list: what the phase asks for, and for each task without criteria that it is done. */
export function taskListGate({ nodes }: PhaseSection, tasks: readonly DocumentTask[], place: PhaseLocation): PhaseGate {
  const bare = tasks.filter((task) =>
    readRequirements(task.nodes).every(({ requirement }) => requirement === undefined),
  );
  const { gate, ...read } = phaseGate(nodes, place);
  const isWritten = gate.isFromProse !== true || read.lines.some(({ requirement }) => requirement?.field === "summary");
  const own = gate.requirements.filter(({ field }) => field !== "summary" || isWritten || bare.length === 0);
  const done = bare.map(({ phase, number, name, line }) => ({
    ...onlyAsked({
      field: ["task", ...(phase === undefined ? [] : [phase]), number, "completed"].join("_"),
      required: true,
      description: name === "" ? "the task is done" : `done: ${name}`,
      source: { file: place.file, line },
    }),
    type: "boolean" as const,
  }));
  const complaints =
    done.length > 0 ? read.complaints.filter(({ code }) => code !== "phase-without-requirement") : read.complaints;
  return { ...read, gate: { ...gate, requirements: [...own, ...done] }, complaints };
}
