import { boxDemands, boxName, itemDemands, yes } from "../demands/boxes.ts";
import { type Demands, gather, noDemands } from "../demands/demand.ts";
import { isOfTask } from "../demands/loose-demands.ts";
import { plain, sentenceDemands } from "../demands/sentences.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { joinLines, type Line, sliceLine } from "../markdown/lines.ts";
import { kindOfPlace, kindOfWords } from "../markdown/places.ts";
import type { DocumentTask } from "./document-tasks.ts";

/** What proves the tasks of a phase: each by its own acceptance criteria, else by being done. */
export function taskDemands(tasks: readonly DocumentTask[]): Demands {
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
