import { blocksOf } from "./blocks.ts";
import { checkboxDemands } from "./checkboxes.ts";
import type { Demand } from "./demand.ts";
import type { DocumentTask } from "./document-tasks.ts";
import { mergeDemands } from "./merge-demands.ts";
import { asksNothing, type PhasePlace, phaseGate } from "./phase-gate.ts";
import { asRequirements } from "./requirements.ts";
import type { PhaseSection } from "./sections.ts";

/** The gate of a phase in a task list: what the list asks for, else that every task is done. */
export function taskListGate(
  section: PhaseSection,
  tasks: readonly DocumentTask[],
  place: PhasePlace,
): ReturnType<typeof phaseGate> {
  const read = phaseGate(blocksOf(section.nodes), place);
  const isUnclear = read.complaints.some(({ code, closes }) => closes && code !== "phase-without-requirement");
  const ofTasks = tasks.flatMap((task) => unprovedTask(task));
  if (isUnclear || read.isOfPhase || ofTasks.length === 0) return read;
  const known = new Set(read.gate.requirements.map(({ field }) => field));
  const more = asRequirements(mergeDemands(ofTasks).demands, place.file).filter(({ field }) => !known.has(field));
  const gate = {
    ...read.gate,
    requirements: [...read.gate.requirements, ...more].sort((a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0)),
  };
  const complaints = asksNothing(gate)
    ? read.complaints
    : read.complaints.filter(({ code }) => code !== "phase-without-requirement");
  return { ...read, gate, complaints };
}

/** A task without acceptance criteria of its own is proved by being done. */
function unprovedTask({ nodes, isBox, number, name, line, content }: DocumentTask): readonly Demand[] {
  const blocks = blocksOf(nodes);
  const hasCriteria = blocks.some((block, index) => block.kind === "item" && block.box && !(isBox && index === 0));
  if (hasCriteria) return [];
  const first = blocks[0];
  if (isBox && first?.kind === "item") return checkboxDemands(first.lines, true).demands;
  const phase = /(\d+)\.\d+/.exec(content)?.[1];
  const field = ["task", ...(phase === undefined ? [] : [phase]), number, "completed"].join("_");
  const demand = {
    field,
    type: "boolean",
    certainty: "read",
    required: true,
    description: name === "" ? "the task is done" : `done: ${name}`,
    rules: [],
    mayBeEmpty: false,
    line,
  } as const;
  return [demand];
}
