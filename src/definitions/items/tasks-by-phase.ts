import { parseMarkdown } from "../phases/markdown/markdown.ts";
import { phaseSections } from "../phases/markdown/sections.ts";
import type { TaskList } from "./found-task.ts";
import { readTaskList } from "./read-task-list.ts";

export { readTaskList };

/** The tasks of one phase of a task list, each waiting only for tasks of that phase. */
export function tasksOfPhase(text: string, phase: number): TaskList | { readonly problem: string } {
  const read = readTaskList([{ name: "", text }]);
  const document = parseMarkdown(text);
  if ("problem" in read || "unusable" in document) return "problem" in read ? { problem: "has no task" } : read;
  const { phases } = phaseSections(document, true);
  const isHere = ({ line }: { readonly line: number }): boolean =>
    phases.findLast((section) => section.line <= line)?.number === phase;
  const here = read.tasks.filter(isHere);
  const ids = new Set(here.map(({ id }) => id));
  const tasks = here.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => ids.has(id)) }));
  return { tasks, unread: read.unread.filter(isHere) };
}
