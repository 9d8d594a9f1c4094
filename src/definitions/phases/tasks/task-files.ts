import { join } from "node:path";
import { type Complaint, complaint } from "../complaint.ts";
import { gather } from "../demands/demand.ts";
import { tableDemands } from "../demands/tables.ts";
import { unreadBox } from "../demands/unread.ts";
import { misplacedKeys } from "../front-matter.ts";
import type { FilePlace } from "../link.ts";
import type { LinkingFile } from "../linked-documents.ts";
import { type Block, blocksOf } from "../markdown/blocks.ts";
import { taskTitle } from "../markdown/headings.ts";
import { kindOfPlace } from "../markdown/places.ts";
import { textOf } from "../markdown/sections.ts";
import { readMarkdown } from "../markdown/text-file.ts";
import { type PhasePlace, phaseGate } from "../phase-gate.ts";
import type { PhaseTask } from "../phased-workflow.ts";
import type { TaskGate } from "./task-gates.ts";

/** A file that holds a task of a phase: the task, what it asks for by itself, and what is wrong with it. */
export type TaskRead = {
  readonly task?: PhaseTask;
  readonly gate?: TaskGate;
  readonly file?: LinkingFile;
  readonly complaints: readonly Complaint[];
};

/** `task-1-name.md`, `task-0.md`, `1.2-name.md`, `task_3.md`; other files beside a phase are material of its author. */
export function readTask(file: string, place: FilePlace): TaskRead[] {
  const path = join(place.path, file);
  const [, digits, rest = ""] = /^(?:task[-_ ]*)?(?:\d{1,4}\.)?(\d{1,4})(?:[-_ .](.*))?\.md$/i.exec(file) ?? [];
  if (digits === undefined) {
    const message = `${file} has no number, so nobody can ask for this task`;
    const fix = "Name it task-<number>-<name>.md.";
    const isTask = /^tasks?[-_ .\d].*\.md$/is.test(file);
    return isTask ? [{ complaints: [complaint("unnumbered-task", path, message, fix, { closes: false })] }] : [];
  }
  const document = readMarkdown(path, place);
  if ("unusable" in document) {
    const fix = "Write the task, or delete the file.";
    return [{ complaints: [complaint("cannot-be-used", path, document.unusable, fix)] }];
  }
  const heading = document.tree.children.find((node) => node.type === "heading");
  const title = heading?.type === "heading" ? textOf(heading) : "";
  const name = (taskTitle(title)?.name ?? title) || rest.replaceAll(/[-_]+/g, " ");
  return [
    {
      task: { number: Number(digits), name, content: document.source, source: `${place.source}/${file}` },
      gate: taskGate(blocksOf(document.tree.children), { path, file: `${place.file}/${file}`, line: 1 }),
      file: { path, tree: document.tree },
      complaints: misplacedKeys(document, path),
    },
  ];
}

/** What a task asks for in plain words and in evidence tables; the steps that it lists to be ticked off ask for nothing. */
function taskGate(blocks: readonly Block[], place: PhasePlace): TaskGate {
  const isStep = (block: Block): boolean => {
    const kind = kindOfPlace(block.place);
    const isTicked = block.kind === "item" && block.box;
    const isTold = block.kind === "table" && tableDemands(block.table, kind) === undefined;
    return (isTicked || isTold) && ["nothing", "weak"].includes(kind);
  };
  const asking = blocks.filter((block) => !isStep(block));
  const steps = gather(blocks.filter(isStep).map(unreadBox));
  const { gate, complaints } = phaseGate(asking, place, undefined, steps);
  return { gate, path: place.path, complaints: complaints.filter(({ code }) => code !== "phase-without-requirement") };
}
