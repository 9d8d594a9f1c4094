import { entriesOf } from "../phases/markdown/entries.ts";
import { type MarkdownDocument, parseMarkdown } from "../phases/markdown/markdown.ts";
import { type PhaseSection, phaseSections } from "../phases/markdown/sections.ts";
import type { FoundTask, ListedTask, TaskList } from "./found-task.ts";
import { finishedTasks, readTaskList, tasksOnPage } from "./read-task-list.ts";

export { readTaskList };

/** The tasks of each phase of a task list, each waiting only for tasks of its phase. */
export function tasksByPhase(text: string, read?: MarkdownDocument): ReadonlyMap<number, TaskList> {
  const document = read ?? parseMarkdown(text);
  if ("unusable" in document) return new Map();
  const found = tasksOnPage(text, document);
  if ("problem" in found) return new Map();
  const { phases } = phaseSections(document, true);
  const phaseAt = linesOf(phases);
  const isIn =
    ({ number }: PhaseSection) =>
    ({ line }: { readonly line: number }): boolean =>
      phaseAt.get(line) === number;
  const asked = new Set(phases.flatMap((phase) => askedBoxes(phase, found.tasks.filter(isIn(phase)))));
  const all = finishedTasks({ ...found, tasks: found.tasks.filter(({ line }) => !asked.has(line)) });
  if ("problem" in all) return new Map();
  return new Map(
    phases.map((phase) => {
      const here = all.tasks.filter(isIn(phase));
      const ids = new Set(here.map(({ id }) => id));
      const tasks = here.map((task) => ({
        ...task,
        text: ownText(task, isIn(phase)),
        dependsOn: task.dependsOn.filter((id) => ids.has(id)),
      }));
      return [phase.number, { tasks, unread: all.unread.filter(isIn(phase)) }];
    }),
  );
}

/** The phase of each line: a gate that names a phase is in that one, in any place of the page. */
function linesOf(phases: readonly PhaseSection[]): ReadonlyMap<number, number> {
  const phaseAt = new Map<number, number>();
  for (const { number, nodes } of phases)
    for (const { position } of nodes)
      for (let line = position?.start.line ?? 1; line <= (position?.end.line ?? 0); line += 1)
        phaseAt.set(line, number);
  return phaseAt;
}

/** The text of a task without the gate of another phase in it. */
function ownText({ text, line }: ListedTask, isIn: (read: { readonly line: number }) => boolean): string {
  const lines = text.split("\n").filter((said, at) => said.trim() === "" || isIn({ line: line + at }));
  return lines.join("\n").trimEnd();
}

/** The lines of boxes that say what the phase asks for: without a number, beside tasks with one or under what asks. */
function askedBoxes({ nodes }: PhaseSection, tasks: readonly FoundTask[]): readonly number[] {
  const isCounted = tasks.some(({ isNumbered }) => isNumbered);
  const leads = entriesOf(nodes).filter(({ kind }) => kind === "heading" || kind === "label");
  return tasks
    .filter(({ isNumbered }) => !isNumbered)
    .map(({ line }) => line)
    .filter((line) => isCounted || leads.findLast((lead) => lead.line < line)?.place.asks === true);
}
