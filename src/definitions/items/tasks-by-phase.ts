import { entriesOf } from "../phases/markdown/entries.ts";
import { parseMarkdown } from "../phases/markdown/markdown.ts";
import { type PhaseSection, phaseSections } from "../phases/markdown/sections.ts";
import type { ListedTask, TaskList } from "./found-task.ts";
import { readTaskList } from "./read-task-list.ts";

export { readTaskList };

/** The tasks of each phase of a task list, each waiting only for tasks of its phase. */
export function tasksByPhase(text: string): ReadonlyMap<number, TaskList> {
  const files = [{ name: "", text }];
  const all = readTaskList(files);
  const document = parseMarkdown(text);
  if ("problem" in all || "unusable" in document) return new Map();
  const { phases } = phaseSections(document, true);
  const asked = phases.flatMap((phase) => askedBoxes(phase, all.tasks.filter(isIn(phase))));
  const read = readTaskList(files, new Set(asked));
  if ("problem" in read) return new Map();
  return new Map(
    phases.map((phase) => {
      const here = read.tasks.filter(isIn(phase));
      const ids = new Set(here.map(({ id }) => id));
      const tasks = here.map((task) => ({
        ...task,
        text: ownText(task, phase),
        dependsOn: task.dependsOn.filter((id) => ids.has(id)),
      }));
      return [phase.number, { tasks, unread: read.unread.filter(isIn(phase)) }];
    }),
  );
}

/** The text of a task without the gate of another phase in it. */
function ownText({ text, line }: ListedTask, phase: PhaseSection): string {
  const lines = text.split("\n").filter((said, at) => said.trim() === "" || isIn(phase)({ line: line + at }));
  return lines.join("\n").trimEnd();
}

/** Tells if a line is in a phase: a gate that names a phase is in that one, in any place of the page. */
function isIn({ nodes }: PhaseSection): (read: { readonly line: number }) => boolean {
  return ({ line }) => nodes.some(({ position: { start, end } = none }) => start.line <= line && line <= end.line);
}

const none = { start: { line: 0 }, end: { line: -1 } };

/** The lines of boxes that say what the phase asks for: without a number, beside tasks with one or under what asks. */
function askedBoxes({ nodes }: PhaseSection, tasks: readonly ListedTask[]): readonly number[] {
  const isCounted = tasks.some(({ isNumbered }) => isNumbered);
  const leads = entriesOf(nodes).filter(({ kind }) => kind === "heading" || kind === "label");
  return tasks
    .filter(({ isNumbered }) => !isNumbered)
    .map(({ line }) => line)
    .filter((line) => isCounted || leads.findLast((lead) => lead.line < line)?.place.asks === true);
}
