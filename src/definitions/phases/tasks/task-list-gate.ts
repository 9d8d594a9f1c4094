import { checkboxDemands } from "../demands/checkboxes.ts";
import { type Demands, gather, noDemands } from "../demands/demand.ts";
import { withPlainGates } from "../demands/plain-gates.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "../markdown/gate-places.ts";
import { plainWords } from "../markdown/gate-words.ts";
import { taskTitle } from "../markdown/headings.ts";
import { joinLines } from "../markdown/lines.ts";
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
