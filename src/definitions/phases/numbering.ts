import type { DocumentTask } from "./tasks/document-tasks.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reports wrong phase numbers: none, a start after `latest`, a gap, a repetition. */
export function numberingComplaints(numbers: readonly number[], path: string, latest = 1): WorkflowProblem[] {
  if (numbers.length === 0) {
    const fix = "Write phases: phases/1/phase.md, or sections `## Phase 1: Name`.";
    return [workflowProblem("no-phases", path, "the workflow has no phases", fix)];
  }
  const known = new Set(numbers);
  const from = Math.min(...numbers, latest);
  const all = Array.from({ length: Math.max(...numbers) - from + 1 }, (_, index) => from + index);
  const missing = all.filter((number) => !known.has(number));
  const isTwice = known.size < numbers.length;
  const isDescending = numbers.some((number, index) => number < (numbers[index - 1] ?? 0));
  const shown = `${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}`;
  const fix = "Number the phases in order from 0 or 1, without gaps or repetitions.";
  return [
    ...(missing.length > 0 ? [workflowProblem("missing-phase", path, `phase ${shown} is missing`, fix)] : []),
    ...(isTwice ? [workflowProblem("duplicate-phase", path, "two phases have the same number", fix)] : []),
    ...(isDescending && !isTwice ? [workflowProblem("duplicate-phase", path, "the phases are out of order", fix)] : []),
  ];
}

/** Reports tasks of one phase with the same number. */
export function taskComplaints(
  tasks: readonly (Pick<DocumentTask, "number"> & Partial<Pick<DocumentTask, "line">>)[],
  path: string,
): WorkflowProblem[] {
  const again = tasks.filter(({ number }, index) => tasks.findIndex((task) => task.number === number) < index);
  const fix = "Give each task of a phase its own number.";
  return again.map(({ number, line = 1 }) =>
    workflowProblem("duplicate-task", path, `two tasks of the phase have the number ${number}`, fix, { line }),
  );
}
