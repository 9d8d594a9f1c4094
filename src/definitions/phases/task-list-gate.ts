import { blocksOf } from "./blocks.ts";
import type { DocumentTask } from "./document-tasks.ts";
import { isOfTask } from "./gate-places.ts";
import { type PhasePlace, phaseGate } from "./phase-gate.ts";
import type { PhaseSection } from "./sections.ts";
import { taskDemands } from "./task-demands.ts";

/** The gate of a phase in a task list: what the phase itself asks for, and what proves each of its tasks. */
export function taskListGate(
  section: PhaseSection,
  tasks: readonly DocumentTask[],
  place: PhasePlace,
): ReturnType<typeof phaseGate> {
  // What proves a task is read with the task.
  const ofPhase = blocksOf(section.nodes).filter((block) => block.kind !== "item" || !isOfTask(block.place));
  return phaseGate(ofPhase, place, undefined, taskDemands(tasks));
}
