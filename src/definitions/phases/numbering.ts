import type { Complaint } from "./complaint.ts";
import type { DocumentTask } from "./tasks/document-tasks.ts";

/** What is wrong with the numbers of phases: none at all, a start other than 0 or 1, a gap, one number twice. */
export function numberingComplaints(numbers: readonly number[], path: string, isTwiceReported: boolean): Complaint[] {
  const note = (code: Complaint["code"], message: string, fix: string): Complaint => ({
    code,
    path,
    line: 1,
    message,
    fix,
    closes: true,
  });
  if (numbers.length === 0)
    return [
      note(
        "no-phases",
        "the workflow has no phases",
        "Write phases: phases/1/phase.md, or sections `## Phase 1: Name`.",
      ),
    ];
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const missing = Array.from(
    { length: (sorted.at(-1) ?? first) - Math.min(first, 1) + 1 },
    (_, index) => Math.min(first, 1) + index,
  ).filter((number) => !sorted.includes(number));
  const isDescending = numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0));
  return [
    ...(missing.length > 0
      ? [
          note(
            "missing-phase",
            `there is no phase ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}`,
            "Number the phases from 0 or 1 without a gap.",
          ),
        ]
      : []),
    ...(sorted.length < numbers.length && !isTwiceReported
      ? [note("duplicate-phase", "two phases have one number", "Give each phase a number of its own.")]
      : []),
    ...(isDescending && sorted.length === numbers.length
      ? [note("duplicate-phase", "the phases do not stand in the order of their numbers", "Put them in order.")]
      : []),
  ];
}

/** Tasks of one phase that cannot be told apart. */
export function taskComplaints(tasks: readonly Pick<DocumentTask, "number" | "line">[], path: string): Complaint[] {
  return tasks
    .filter(({ number }, index) => tasks.findIndex((task) => task.number === number) < index)
    .map(({ number, line }) => ({
      code: "duplicate-task",
      path,
      line,
      message: `two tasks of the phase have the number ${number}`,
      fix: "Give each task of a phase a number of its own.",
      closes: true,
    }));
}
