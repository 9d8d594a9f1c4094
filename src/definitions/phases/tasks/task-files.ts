import { join } from "node:path";
import type { DefinitionSnapshot } from "../../../engine/ports/definition-snapshot.ts";
import type { FileLocation } from "../file-location.ts";
import { taskTitle } from "../markdown/phase-headings.ts";
import { readMarkdown } from "../markdown/text-file.ts";
import { plainText } from "../markdown/text-lines.ts";
import { misplacedKeys } from "../misplaced-keys.ts";
import type { PhaseTask } from "../phased-workflow.ts";
import type { Prose } from "../requirements/prose-gate.ts";
import { type WorkflowProblem, workflowProblem } from "../workflow-problem.ts";

/** A task file: the task, its own gate, and complaints. */
export type TaskRead = {
  readonly task?: PhaseTask;
  readonly prose?: Prose;
  readonly complaints: readonly WorkflowProblem[];
};

/** Reads a task file named `task-1-name.md`, `task-0.md`, `1.2-name.md` or `task_3.md`; ignores other files. */
export function readTask(definitions: DefinitionSnapshot, file: string, place: FileLocation): TaskRead[] {
  const path = join(place.path, file);
  const [, digits, rest = ""] = /^(?:task[-_ ]*)?(?:\d{1,4}\.)?(\d{1,4})(?:[-_ .](.*))?\.md$/i.exec(file) ?? [];
  if (digits === undefined) {
    const message = `${file} has no number, so this task cannot be requested`;
    const fix = "Rename it to task-<number>-<name>.md.";
    const isTask = /^tasks?[-_ .\d].*\.md$/is.test(file);
    return isTask ? [{ complaints: [workflowProblem("unnumbered-task", path, message, fix, { closes: false })] }] : [];
  }
  const document = readMarkdown(definitions, path);
  if ("unusable" in document) {
    const fix = "Write the task, or delete the file.";
    return [{ complaints: [workflowProblem("cannot-be-used", path, document.unusable, fix)] }];
  }
  const heading = document.tree.children.find((node) => node.type === "heading");
  const title = heading?.type === "heading" ? plainText(heading) : "";
  const name = (taskTitle(title)?.name ?? title) || rest.replaceAll(/[-_]+/g, " ");
  return [
    {
      task: { number: Number(digits), name, content: document.source, source: `${place.source}/${file}` },
      prose: { nodes: document.tree.children, path, file: `${place.file}/${file}`, isTask: true },
      complaints: misplacedKeys(document, path),
    },
  ];
}
