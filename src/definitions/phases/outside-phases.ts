import { type Complaint, complaint } from "./complaint.ts";
import { askedBefore } from "./demands/unread.ts";
import { blocksOf } from "./markdown/blocks.ts";
import type { PhaseSections } from "./markdown/sections.ts";

/** What a document says outside its phases, and would be asked inside one; and gates of phases that it does not have. */
export function outsideComplaints({ before, phases, stray, lost }: PhaseSections, path: string): Complaint[] {
  const note = (line: number, message: string, fix: string): Complaint =>
    complaint("text-outside-phases", path, message, fix, { line, closes: false });
  // What a gate before the phases asks for is said with its heading.
  const told = Math.min(...stray.map(({ line }) => line));
  return [
    ...askedBefore(blocksOf(phases.length === 0 ? [] : before))
      .filter((line) => line < told)
      .map((line) =>
        note(line, `what stands here is part of no phase: ${unasked}`, "Put it into each phase that it is for."),
      ),
    ...stray.map(({ line, asks }) => {
      const message = `what stands from here on is part of no phase${asks ? `: it is never shown, and ${unasked}` : " and is never shown"}`;
      return note(line, message, "Put it under a phase's heading, or before the first phase.");
    }),
    ...lost.map(({ line, number }) =>
      note(
        line,
        `this gate names phase ${number}, which is not there; the phase that it stands in asks for it`,
        "Name the phase that it is for.",
      ),
    ),
  ];
}

const unasked = "what it asks for is not asked";
