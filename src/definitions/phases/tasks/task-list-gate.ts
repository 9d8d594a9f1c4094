import { isApproval } from "../demands/approvals.ts";
import { boxDemands, boxName, itemDemands, yes } from "../demands/boxes.ts";
import { type Demands, gather, noDemands } from "../demands/demand.ts";
import { isOfTask } from "../demands/loose-demands.ts";
import { plain, sentenceDemands } from "../demands/sentences.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { taskTitle } from "../markdown/headings.ts";
import { joinLines, type Line, sliceLine } from "../markdown/lines.ts";
import { isAside, kindOfPlace, kindOfWords } from "../markdown/places.ts";
import type { PhaseSection } from "../markdown/sections.ts";
import { type PhasePlace, phaseGate } from "../phase-gate.ts";
import type { DocumentTask } from "./document-tasks.ts";

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

/** What proves the tasks of a phase: each by its own acceptance criteria, else by being done. */
function taskDemands(tasks: readonly DocumentTask[]): Demands {
  const asked = new Set<string>();
  return gather(
    tasks.map((task) => {
      const read = demandsOf(task);
      const demands = read.demands.map((demand) =>
        // "It works" of one task does not prove another.
        asked.has(demand.field) ? { ...demand, field: `${nameOf(task)}_${demand.field}` } : demand,
      );
      for (const { field } of demands) asked.add(field);
      return { ...read, demands };
    }),
  );
}

type Item = Extract<Block, { kind: "item" }>;

function demandsOf(task: DocumentTask): Demands {
  const blocks = blocksOf(task.nodes).filter(({ place }) => isOfTask(place) && kindOfPlace(place) !== "example");
  const items = blocks.filter((block) => block.kind === "item");
  const { criteria, isLabelled } = criteriaIn(items);
  if (criteria.length > 0) {
    const asked = gather(criteria.map((item) => itemDemands(item)));
    // Boxes below a box are parts of it, and it is to be ticked off itself.
    return task.isBox && !isLabelled ? gather([isDone(task), asked]) : asked;
  }
  const lines = blocks.flatMap((block) => ("lines" in block ? block.lines : []));
  const said = gather([
    ...blocks.map((block) => ("lines" in block ? sentenceDemands(block.lines, plain) : noDemands)),
    ...lines.map(saidAtOnce),
  ]);
  return said.demands.length + said.unclear.length > 0 ? said : isDone(task);
}

/** "Acceptance criteria: all endpoints answer" is a criterion without a list. */
function saidAtOnce(line: Line): Demands {
  const [lead = "", label = ""] = /^\W*([^:]{4,40}):\W*(?=[\p{L}\p{N}])/u.exec(line.text) ?? [];
  return label !== "" && kindOfWords(label) === "gate" ? boxDemands([sliceLine(line, lead.length)]) : noDemands;
}

/** What stands under "Acceptance criteria", ticked off or not; without such a label, every box of the task. */
function criteriaIn(items: readonly Item[]): { readonly criteria: readonly Item[]; readonly isLabelled: boolean } {
  const labelled = items.filter(({ place }) => ["gate", "evidence"].includes(kindOfPlace(place)));
  const boxes = (labelled.length > 0 ? labelled : items).filter(({ box, place }) => box && place.inTask);
  const isLabelled = labelled.length > 0;
  if (boxes.length > 0) return { criteria: boxes, isLabelled };
  const depth = Math.min(...labelled.map(({ place }) => place.depth));
  return { criteria: labelled.filter(({ place }) => place.depth === depth), isLabelled };
}

/** A task without criteria is proved by being done; a box by what it says. */
function isDone(task: DocumentTask): Demands {
  const [first] = blocksOf(task.nodes);
  const isNamed =
    first?.kind === "item" && (boxName(joinLines(first.lines))?.isCode || !task.title.toLowerCase().includes("task"));
  if (task.isBox && isNamed) return boxDemands([withoutTags(joinLines(first.lines))]);
  return yes(
    `${nameOf(task)}_completed`,
    task.name === "" ? "the task is done" : `done: ${task.name}`,
    task.line,
    true,
  );
}

/** `T012 [P] [US1] Write it`: the tags say who may do it and when. */
function withoutTags(line: Line): Line {
  const [, number = "", tags = ""] = /^(\W*T\d+\s+)((?:\[[^\]]*\]\s*)+)/.exec(line.text) ?? [];
  if (tags === "") return line;
  return joinLines([sliceLine(line, 0, number.trimEnd().length), sliceLine(line, number.length + tags.length)]);
}

function nameOf({ phase, number }: DocumentTask): string {
  return ["task", ...(phase === undefined ? [] : [phase]), number].join("_");
}
