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
  const missing = Array.from({ length: Math.max(...numbers) - from + 1 }, (_, index) => from + index).filter(
    (number) => !known.has(number),
  );
  const isTwice = known.size < numbers.length;
  const isDescending = numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0));
  const shown = `${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}`;
  const gap = complaint(
    "missing-phase",
    path,
    `there is no phase ${shown}`,
    "Number the phases from 0 or 1 without a gap.",
  );
  const twice = complaint(
    "duplicate-phase",
    path,
    "two phases have one number",
    "Give each phase a number of its own.",
  );
  const unordered = "the phases do not stand in the order of their numbers";
  return [
    ...(missing.length > 0 ? [gap] : []),
    ...(isTwice && !isTwiceReported ? [twice] : []),
    ...(isDescending && !isTwice ? [complaint("duplicate-phase", path, unordered, "Put them in order.")] : []),
  ];
}

/** Tasks of one phase that cannot be told apart. */
export function taskComplaints(tasks: readonly Pick<DocumentTask, "number" | "line">[], path: string): Complaint[] {
  return tasks
    .filter(({ number }, index) => tasks.findIndex((task) => task.number === number) < index)
    .map(({ number, line }) => {
      const message = `two tasks of the phase have the number ${number}`;
      return complaint("duplicate-task", path, message, "Give each task of a phase a number of its own.", { line });
    });
}
