import { isApproval } from "../demands/approvals.ts";
import { itemDemands } from "../demands/boxes.ts";
import { type Demands, gather, noDemands } from "../demands/demand.ts";
import { isOfTask } from "../demands/loose-demands.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { taskTitle } from "../markdown/headings.ts";
import { joinLines } from "../markdown/lines.ts";
import { isAside, kindOfPlace } from "../markdown/places.ts";
import type { PhaseSection } from "../markdown/sections.ts";
import { type PhasePlace, phaseGate } from "../phase-gate.ts";
import type { DocumentTask } from "./document-tasks.ts";
import { taskDemands } from "./task-demands.ts";

/** The gate of a phase in a task list: what the phase itself asks for, and what proves each of its tasks. */
export function taskListGate(
  section: PhaseSection,
  tasks: readonly DocumentTask[],
  place: PhasePlace,
): ReturnType<typeof phaseGate> {
  // What proves a task is read with the task, and every other box is a task itself.
  const all = blocksOf(section.nodes);
  const ofPhase = all.filter(
    (block) => block.kind !== "item" || isApprovalItem(block) || (!isOfTask(block.place) && !isTask(block)),
  );
  return phaseGate(ofPhase, place, undefined, gather([taskDemands(tasks), boxesBesides(all)]));
}

function isTask(block: Block): boolean {
  if (block.kind !== "item" || !block.box || isAside(block.place) || isApprovalItem(block)) return false;
  return ["nothing", "weak"].includes(kindOfPlace(block.place));
}

/** What speaks of an approval asks a person, also below a task. */
function isApprovalItem(block: Block): boolean {
  return block.kind === "item" && isApproval(joinLines(block.lines).text);
}

/** A box of a phase that is part of no task and no gate is a task itself. */
function boxesBesides(blocks: readonly Block[]): Demands {
  return gather(
    blocks.map((block) => {
      if (block.kind !== "item" || !isTask(block) || block.place.inTask || block.place.depth > 0) return noDemands;
      return taskTitle(joinLines(block.lines).text) === undefined ? itemDemands(block) : noDemands;
    }),
  );
}
