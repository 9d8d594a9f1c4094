import { oneLine } from "../kit/one-line.ts";
import type { ContentRecord } from "../workflow/events.ts";
import type { AuditedStream } from "./audit-streams.ts";
import type { ComparedStep } from "./compare-walk.ts";
import type { Completed } from "./judged-as-defined.ts";
import { describeRecordedCheck, provenApprovals } from "./proofs.ts";
import type { JudgedWalk } from "./walk-sources.ts";

/** The files of a walk as they are now. */
export type TreeLook = {
  /** The SHA-256 of a recorded file as it is now, or another text if its size differs; undefined if there is no plain file. */
  hashAt(stream: AuditedStream, recorded: Pick<ContentRecord, "path" | "bytes">): Promise<string | undefined>;
  /** The passed checks of a walk that read other files than are there now, by step and name. */
  staleChecks(walk: JudgedWalk): Promise<readonly { readonly step: string; readonly name: string }[]>;
};

/** Compares what a walk proves with the files: a check of other files counts as claimed, and so does an approval of other content. */
export async function compareWithTree(
  walk: JudgedWalk,
  look: TreeLook,
  { isProposal, isRechecked }: { readonly isProposal: boolean; readonly isRechecked: boolean },
): Promise<JudgedWalk> {
  const approved = await otherContent(walk, look);
  const stale = isProposal && !isRechecked ? await look.staleChecks(walk) : [];
  const problems: string[] = [];
  const notes: string[] = [];
  const steps = walk.steps.map((step): ComparedStep => {
    const completed = walk.completions.find((one) => one.step === step.step);
    if (completed === undefined) return step;
    const name = walk.judged.find((one) => one.step === step.step)?.called ?? step.step;
    const files = approved.filter((one) => one.completed === completed).map(({ text }) => text);
    const isProven = completed.word.level === "proven";
    if (files.length > 0 && (isProposal || isProven))
      (isProposal && isProven ? problems : notes).push(
        `${name}: what was approved is not in the tree: ${files.join(", ")}`,
      );
    const recorded = walk.judged.find((one) => one.step === step.step)?.recorded ?? [];
    const others = recorded
      .filter((result) => stale.some((one) => one.step === step.step && one.name === result.name))
      .map(describeRecordedCheck);
    const unproved = [...others, ...(files.length === 0 ? [] : provenApprovals(completed, walk.stream.approvals))];
    if (unproved.length === 0) return step;
    return {
      ...step,
      proved: step.proved.filter((text) => !unproved.includes(text)),
      claimed: [...step.claimed, ...unproved.map((text) => `${text}, on other files`)],
    };
  });
  return { ...walk, problems: [...walk.problems, ...problems], notes: [...walk.notes, ...notes], steps };
}

type OtherContent = { readonly completed: Completed; readonly text: string };

/** The approved files that are missing or differ now; of each path the last content, or the last that a key approved. */
async function otherContent({ completions, stream }: JudgedWalk, look: TreeLook): Promise<readonly OtherContent[]> {
  const newest = new Map<string, { readonly completed: Completed; readonly record: ContentRecord }>();
  const isProven = (completed: Completed | undefined): boolean => completed?.word.level === "proven";
  for (const completed of completions)
    for (const record of completed.word.level === "auto" ? [] : (completed.content ?? []))
      if (record.readable !== true && (isProven(completed) || !isProven(newest.get(record.path)?.completed)))
        newest.set(record.path, { completed, record });
  const found: OtherContent[] = [];
  for (const [path, { completed, record }] of newest) {
    const now = await look.hashAt(stream, record);
    if (now === record.sha256) continue;
    found.push({ completed, text: `${oneLine(path, 200)} ${now === undefined ? "does not exist" : "differs"}` });
  }
  return found;
}
