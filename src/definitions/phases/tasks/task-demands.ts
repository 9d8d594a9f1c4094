import { boxName, checkboxDemands } from "../demands/checkboxes.ts";
import { type Demand, type Demands, gather, noDemands } from "../demands/demand.ts";
import { announcesEvidence } from "../demands/indicators.ts";
import { proseDemands } from "../demands/prose.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace, isOfTask, isOptionalPlace } from "../markdown/gate-places.ts";
import { announcesGate } from "../markdown/gate-words.ts";
import { joinLines, type Line, sliceLine } from "../markdown/lines.ts";
import type { DocumentTask } from "./document-tasks.ts";

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
  const { criteria, isLabelled } = criteriaIn(items);
  if (criteria.length > 0) {
    const asked = gather(criteria.map(({ lines, place }) => checkboxDemands(lines, !isOptionalPlace(place))));
    // Boxes below a box are parts of it, and it is to be ticked off itself.
    return task.isBox && !isLabelled ? gather([isDone(task), asked]) : asked;
  }
  const lines = blocks.flatMap((block) => ("lines" in block ? block.lines : []));
  const said = gather([
    ...blocks.map((block) => ("lines" in block ? proseDemands(block.lines, "nothing") : noDemands)),
    ...lines.map(saidAtOnce),
  ]);
  // What a paragraph asks for is read with the phase.
  if (said.demands.length > 0) return said;
  return isDone(task);
}

/** "Acceptance criteria: all endpoints answer" is a criterion without a list. */
function saidAtOnce(line: Line): Demands {
  const [lead = "", label = ""] = /^\W*([^:]{4,40}):\W*(?=[\p{L}\p{N}])/u.exec(line.text) ?? [];
  return label !== "" && announcesGate(label) && !announcesEvidence(label)
    ? checkboxDemands([sliceLine(line, lead.length)], true)
    : noDemands;
}

/** What stands under "Acceptance criteria", ticked off or not; without such a label, every box of the task. */
function criteriaIn(items: readonly Item[]): { readonly criteria: readonly Item[]; readonly isLabelled: boolean } {
  const labelled = items.filter(({ lines, place }) => {
    const isLead = /[:：]\s*$/.test(joinLines(lines).text);
    return askingAt(place) !== "nothing" && !isLead;
  });
  const boxes = (labelled.length > 0 ? labelled : items).filter(({ box }) => box);
  const isLabelled = labelled.length > 0;
  if (boxes.length > 0) return { criteria: boxes, isLabelled };
  const depth = Math.min(...labelled.map(({ place }) => place.depth));
  return { criteria: labelled.filter(({ place }) => place.depth === depth), isLabelled };
}

/** A task without criteria is proved by being done; a box by what it says. */
function isDone(task: DocumentTask): Demands {
  const [first] = blocksOf(task.nodes);
  const isNamed = first?.kind === "item" && (boxName(first.lines) !== undefined || !/\btask\b/i.test(task.title));
  if (task.isBox && isNamed) return checkboxDemands([withoutTags(joinLines(first.lines))], true);
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

/** `T012 [P] [US1] Write it`: the tags say who may do it and when. */
function withoutTags(line: Line): Line {
  const [, number = "", tags = ""] = /^(\W*T\d+\s+)((?:\[[^\]]*\]\s*)+)/.exec(line.text) ?? [];
  if (tags === "") return line;
  return joinLines([sliceLine(line, 0, number.trimEnd().length), sliceLine(line, number.length + tags.length)]);
}

function nameOf({ phase, number }: DocumentTask): string {
  return ["task", ...(phase === undefined ? [] : [phase]), number].join("_");
}
