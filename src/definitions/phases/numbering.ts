import { type Complaint, complaint } from "./complaint.ts";
import type { DocumentTask } from "./tasks/document-tasks.ts";

/** What is wrong with the numbers of phases: none at all, a start other than 0 or 1, a gap, one number twice. */
export function numberingComplaints(numbers: readonly number[], path: string, isTwiceReported: boolean): Complaint[] {
  if (numbers.length === 0) {
    const fix = "Write phases: phases/1/phase.md, or sections `## Phase 1: Name`.";
    return [complaint("no-phases", path, "the workflow has no phases", fix)];
  }
  const known = new Set(numbers);
  const from = Math.min(...numbers, 1);
  const all = Array.from({ length: Math.max(...numbers) - from + 1 }, (_, index) => from + index);
  const missing = all.filter((number) => !known.has(number));
  const isTwice = known.size < numbers.length;
  const isDescending = numbers.some((number, index) => number < (numbers[index - 1] ?? 0));
  const shown = `${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}`;
  const isNew = isTwice && !isTwiceReported;
  const fix = "Number the phases from 0 or 1, in order, without a gap and each number once.";
  return [
    ...(missing.length > 0 ? [complaint("missing-phase", path, `there is no phase ${shown}`, fix)] : []),
    ...(isNew ? [complaint("duplicate-phase", path, "two phases have one number", fix)] : []),
    ...(isDescending && !isTwice ? [complaint("duplicate-phase", path, "the phases stand out of order", fix)] : []),
  ];
}

/** Tasks of one phase that cannot be told apart. */
export function taskComplaints(
  tasks: readonly (Pick<DocumentTask, "number"> & Partial<Pick<DocumentTask, "line">>)[],
  path: string,
): Complaint[] {
  const again = tasks.filter(({ number }, index) => tasks.findIndex((task) => task.number === number) < index);
  const fix = "Give each task of a phase a number of its own.";
  return again.map(({ number, line = 1 }) =>
    complaint("duplicate-task", path, `two tasks of the phase have the number ${number}`, fix, { line }),
  );
}
