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
  const found = [
    { code: "missing-phase", is: missing.length > 0, said: `there is no phase ${shown}` },
    { code: "duplicate-phase", is: isTwice && !isTwiceReported, said: "two phases have one number" },
    {
      code: "duplicate-phase",
      is: isDescending && !isTwice,
      said: "the phases do not stand in the order of their numbers",
    },
  ] as const;
  const fix = "Number the phases from 0 or 1, in order, without a gap and each number once.";
  return found.flatMap(({ code, is, said }) => (is ? [complaint(code, path, said, fix)] : []));
}

/** Tasks of one phase that cannot be told apart. */
export function taskComplaints(tasks: readonly Pick<DocumentTask, "number" | "line">[], path: string): Complaint[] {
  const again = tasks.filter(({ number }, index) => tasks.findIndex((task) => task.number === number) < index);
  const fix = "Give each task of a phase a number of its own.";
  return again.map(({ number, line }) =>
    complaint("duplicate-task", path, `two tasks of the phase have the number ${number}`, fix, { line }),
  );
}
