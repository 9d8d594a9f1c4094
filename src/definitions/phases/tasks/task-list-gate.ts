import { isApproval } from "../demands/approvals.ts";
import { boxDemands, boxName, itemDemands, yes } from "../demands/boxes.ts";
import { type Demands, gather, noDemands } from "../demands/demand.ts";
import { isOfTask } from "../demands/loose-demands.ts";
import { plain, sentenceDemands } from "../demands/sentences.ts";
import { isOffTopic, kindOfContext, kindOfWords } from "../markdown/context-kind.ts";
import { type Block, blocksOf } from "../markdown/document-blocks.ts";
import { taskTitle } from "../markdown/phase-headings.ts";
import type { PhaseSection } from "../markdown/sections.ts";
import { joinLines, type Line, sliceLine } from "../markdown/text-lines.ts";
import { type PhaseLocation, phaseGate } from "../phase-gate.ts";
import type { DocumentTask } from "./document-tasks.ts";

/** The gate of a phase in a task list: the phase's own requirements, and the proof of each task. */
export function taskListGate(
  section: PhaseSection,
  tasks: readonly DocumentTask[],
  place: PhaseLocation,
): ReturnType<typeof phaseGate> {
  // The proof of a task is read with the task, and every other box is a task itself.
  const all = blocksOf(section.nodes);
  const ofPhase = all.filter(
    (block) => block.kind !== "item" || isApprovalItem(block) || (!isOfTask(block.place) && !isTask(block)),
  );
  return phaseGate(ofPhase, place, undefined, gather([taskDemands(tasks), boxesBesides(all)]));
}

function isTask(block: Block): boolean {
  if (block.kind !== "item" || !block.box || isOffTopic(block.place) || isApprovalItem(block)) return false;
  return ["nothing", "weak"].includes(kindOfContext(block.place));
}

/** True for an item about approval, which asks a person even below a task. */
function isApprovalItem(block: Block): boolean {
  return block.kind === "item" && isApproval(joinLines(block.lines).text);
}

/** The boxes of a phase outside tasks and gates, which are tasks themselves. */
function boxesBesides(blocks: readonly Block[]): Demands {
  return gather(
    blocks.map((block) => {
      if (block.kind !== "item" || !isTask(block) || block.place.inTask || block.place.depth > 0) return noDemands;
      return taskTitle(joinLines(block.lines).text) === undefined ? itemDemands(block) : noDemands;
    }),
  );
}

/** The proof of each task: its acceptance criteria, otherwise that it is done. */
function taskDemands(tasks: readonly DocumentTask[]): Demands {
  const asked = new Set<string>();
  return gather(
    tasks.map((task) => {
      const read = demandsOf(task);
      const demands = read.demands.map((demand) =>
        // "It works" of one task does not prove another.
        asked.has(demand.field) ? { ...demand, field: `${taskField(task)}_${demand.field}` } : demand,
      );
      for (const { field } of demands) asked.add(field);
      return { ...read, demands };
    }),
  );
}

type Item = Extract<Block, { kind: "item" }>;

function demandsOf(task: DocumentTask): Demands {
  const blocks = blocksOf(task.nodes).filter(({ place }) => isOfTask(place) && kindOfContext(place) !== "example");
  const items = blocks.filter((block) => block.kind === "item");
  const { criteria, isLabelled } = criteriaIn(items);
  if (criteria.length > 0) {
    const asked = gather(criteria.map((item) => itemDemands(item)));
    // Boxes below a box are parts of it, and it must be ticked itself.
    return task.isBox && !isLabelled ? gather([isDone(task), asked]) : asked;
  }
  const lines = blocks.flatMap((block) => ("lines" in block ? block.lines : []));
  const said = gather([
    ...blocks.map((block) => ("lines" in block ? sentenceDemands(block.lines, plain) : noDemands)),
    ...lines.map(inlineCriterion),
  ]);
  return said.demands.length + said.unclear.length > 0 ? said : isDone(task);
}

/** Parses a one-line criterion such as "Acceptance criteria: all endpoints answer". */
function inlineCriterion(line: Line): Demands {
  const [lead = "", label = ""] = /^\W*([^:]{4,40}):\W*(?=[\p{L}\p{N}])/u.exec(line.text) ?? [];
  return label !== "" && kindOfWords(label) === "gate" ? boxDemands([sliceLine(line, lead.length)]) : noDemands;
}

/** The items under "Acceptance criteria", otherwise every box of the task. */
function criteriaIn(items: readonly Item[]): { readonly criteria: readonly Item[]; readonly isLabelled: boolean } {
  const labelled = items.filter(({ place }) => ["gate", "evidence"].includes(kindOfContext(place)));
  const boxes = (labelled.length > 0 ? labelled : items).filter(({ box, place }) => box && place.inTask);
  const isLabelled = labelled.length > 0;
  if (boxes.length > 0) return { criteria: boxes, isLabelled };
  const depth = Math.min(...labelled.map(({ place }) => place.depth));
  return { criteria: labelled.filter(({ place }) => place.depth === depth), isLabelled };
}

/** The requirement that a task without criteria is done. */
function isDone(task: DocumentTask): Demands {
  const [first] = blocksOf(task.nodes);
  const isNamed =
    first?.kind === "item" && (boxName(joinLines(first.lines))?.isCode || !task.title.toLowerCase().includes("task"));
  if (task.isBox && isNamed) return boxDemands([withoutTags(joinLines(first.lines))]);
  return yes(
    `${taskField(task)}_completed`,
    task.name === "" ? "the task is done" : `done: ${task.name}`,
    task.line,
    true,
  );
}

/** Removes tags such as `[P] [US1]`, which say who may do the task and when. */
function withoutTags(line: Line): Line {
  const [, number = "", tags = ""] = /^(\W*T\d+\s+)((?:\[[^\]]*\]\s*)+)/.exec(line.text) ?? [];
  if (tags === "") return line;
  return joinLines([sliceLine(line, 0, number.trimEnd().length), sliceLine(line, number.length + tags.length)]);
}

function taskField({ phase, number }: DocumentTask): string {
  return ["task", ...(phase === undefined ? [] : [phase]), number].join("_");
}
