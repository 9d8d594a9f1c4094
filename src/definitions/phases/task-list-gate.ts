import { type Block, blocksOf } from "./blocks.ts";
import { checkboxDemands } from "./checkboxes.ts";
import { type Demands, gather, noDemands } from "./demand.ts";
import type { DocumentTask } from "./document-tasks.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "./gate-places.ts";
import { plainWords } from "./gate-words.ts";
import { taskTitle } from "./headings.ts";
import { joinLines } from "./lines.ts";
import { type PhasePlace, phaseGate } from "./phase-gate.ts";
import { withPlainGates } from "./plain-gates.ts";
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
  return phaseGate(ofPhase, place, undefined, gather([taskDemands(tasks), boxesBesides(ofPhase)]));
}

/** A box of a phase that is part of no task and no gate is a task itself. */
function boxesBesides(blocks: readonly Block[]): Demands {
  const { blocks: raised } = withPlainGates(blocks);
  return gather(
    raised.map((block) => {
      if (block.kind !== "item" || !block.box || block.place.inTask || block.place.depth > 0) return noDemands;
      const { lines, place } = block;
      const isTask = taskTitle(joinLines(lines).text) !== undefined;
      const isAside = [...place.headings, place.label].some((text) => asides.test(plainWords(text)));
      if (isTask || isAside || isExamplePlace(place) || askingAt(place) !== "nothing") return noDemands;
      return checkboxDemands(lines, !isOptionalPlace(place));
    }),
  );
}

/** Sections whose boxes are no work of the phase. */
const asides =
  /^(?:notes?|risks?\b.*|prerequisites?|entry\b.*|dependenc(?:y|ies)|assumptions?|open questions?|ideas?|future\b.*|out of scope|references?|background|legend|format\b.*)$/i;
