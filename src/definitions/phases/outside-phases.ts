import { askedBefore } from "./demands/unread.ts";
import { blocksOf } from "./markdown/document-blocks.ts";
import type { PhaseSections } from "./markdown/sections.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reports text outside the phases, and gates of phases that do not exist. */
export function outsideComplaints({ before, phases, stray, lost }: PhaseSections, path: string): WorkflowProblem[] {
  const note = (line: number, message: string, fix: string): WorkflowProblem =>
    workflowProblem("text-outside-phases", path, message, fix, { line, closes: false });
  // A gate before the phases is already reported at its heading.
  const firstLine = Math.min(...stray.map(({ line }) => line));
  return [
    ...askedBefore(blocksOf(phases.length === 0 ? [] : before))
      .filter((line) => line < firstLine)
      .map((line) => note(line, `this text belongs to no phase: ${unasked}`, "Move it into each phase it applies to.")),
    ...stray.map(({ line, asks }) => {
      const message = `the text from here on belongs to no phase${asks ? `: it is never shown, and ${unasked}` : " and is never shown"}`;
      return note(line, message, "Move it under a phase's heading, or before the first phase.");
    }),
    ...lost.map(({ line, number }) =>
      note(
        line,
        `this gate names phase ${number}, which does not exist, so it counts for the phase it is in`,
        "Name an existing phase.",
      ),
    ),
  ];
}

const unasked = "its requirements are not enforced";
