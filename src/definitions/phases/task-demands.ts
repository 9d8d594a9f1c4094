import { type Block, blocksOf } from "./blocks.ts";
import { boxName, checkboxDemands } from "./checkboxes.ts";
import { type Demand, type Demands, gather, noDemands } from "./demand.ts";
import type { DocumentTask } from "./document-tasks.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "./gate-places.ts";
import { joinLines } from "./lines.ts";
import { proseDemands } from "./prose.ts";

/** What proves the tasks of a phase: each by its own acceptance criteria, else by being done. */
export function taskDemands(tasks: readonly DocumentTask[]): Demands {
  const asked = new Set<string>();
  return gather(
    tasks.map((task) => {
      const read = demandsOf(task);
      const demands = read.demands.map((demand) =>
        // "It works" of one task does not prove another.
        asked.has(demand.field) && demand.certainty === "assumed"
          ? { ...demand, field: `${nameOf(task)}_${demand.field}` }
          : demand,
      );
      for (const { field } of demands) asked.add(field);
      return { ...read, demands };
    }),
  );
}

type Item = Extract<Block, { kind: "item" }>;

function demandsOf(task: DocumentTask): Demands {
  const blocks = blocksOf(task.nodes).filter(({ place }) => isOfTask(place) && !isExamplePlace(place));
  const items = blocks.filter((block) => block.kind === "item");
  const criteria = criteriaIn(items);
  if (criteria.length > 0)
    return gather(criteria.map(({ lines, place }) => checkboxDemands(lines, !isOptionalPlace(place))));
  const said = gather(blocks.map((block) => ("lines" in block ? proseDemands(block.lines, "nothing") : noDemands)));
  // What a paragraph asks for is read with the phase.
  if (said.demands.length > 0) return said;
  return isDone(task);
}

/** What stands under "Acceptance criteria", ticked off or not; without such a label, every box of the task. */
function criteriaIn(items: readonly Item[]): readonly Item[] {
  const labelled = items.filter(({ lines, place }) => {
    const isLead = /[:：]\s*$/.test(joinLines(lines).text);
    return askingAt(place) !== "nothing" && !isLead;
  });
  const boxes = (labelled.length > 0 ? labelled : items).filter(({ box }) => box);
  if (boxes.length > 0) return boxes;
  const depth = Math.min(...labelled.map(({ place }) => place.depth));
  return labelled.filter(({ place }) => place.depth === depth);
}

/** A task without criteria is proved by being done; a box by what it says. */
function isDone(task: DocumentTask): Demands {
  const [first] = blocksOf(task.nodes);
  const isNamed = first?.kind === "item" && (boxName(first.lines) !== undefined || !/\btask\b/i.test(task.title));
  if (task.isBox && isNamed) return checkboxDemands(first.lines, true);
  const demand: Demand = {
    field: `${nameOf(task)}_completed`,
    type: "boolean",
    certainty: "read",
    required: true,
    description: task.name === "" ? "the task is done" : `done: ${task.name}`,
    rules: [],
    mayBeEmpty: false,
    line: task.line,
  };
  return { ...noDemands, demands: [demand] };
}

function nameOf({ phase, number }: DocumentTask): string {
  return ["task", ...(phase === undefined ? [] : [phase]), number].join("_");
}
