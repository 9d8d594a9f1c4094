import type { Waived } from "../gates/waiver.ts";
import { oneLine } from "../kit/one-line.ts";
import type { StepRef } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { BlockedAnswer, BlockedReport, StepState } from "../workflow/stream-snapshot.ts";
import { recordedWaivers } from "../workflow/waivers.ts";
import { runArgument } from "./approval-texts.ts";

/** The commands with which a person responds to a blocked step, or continues at a bound. */
export function responseCommands(
  id: StreamId,
  ref: Pick<StepRef, "workflow">,
  isAtBound: boolean | undefined,
): readonly [string, string] {
  return responseCommandsFor(runArgument(id, ref), isAtBound);
}

/** The same for the argument that names a run. */
export function responseCommandsFor(run: string, isAtBound: boolean | undefined): readonly [string, string] {
  const answer = `waymark answer ${run} "TEXT"`;
  return isAtBound === true
    ? [`${answer} --again`, `${answer} --continue`]
    : [answer, `waymark waive ${run} FIELD --reason "WHY"`];
}

/** Says what happens next after a report, to the assistant. */
export function reportedText(id: StreamId, ref: StepRef, step: string): string {
  const [answer, waive] = responseCommands(id, ref, false);
  return `${step} is reported as blocked and stays open; nothing was completed. Tell the person why, and ask them to run ${answer} (you get their text first) or ${waive} in a terminal, or to answer on the dashboard. Then call this step's tool again.`;
}

/** Says that a completed step led back as often as it may, to the assistant. */
export function boundText(run: string, step: string): string {
  return `${step} is completed, but it has led back as often as the workflow allows. Only a person can continue: ask them to run waymark answer ${run} "TEXT" --again (one more round) or --continue (on to the next step) in a terminal. Then call this tool again.`;
}

/** The sentences about an open step that is or was blocked: a person's answer, waivers, and an unanswered report. */
export function blockedLead(
  step: string,
  state: Partial<Pick<StepState, "blocked" | "answer" | "waivers">>,
): readonly string[] {
  const { blocked, answer } = state;
  return [
    ...(answer === undefined ? [] : [answerText(answer, step)]),
    ...waivedTexts(recordedWaivers(state)),
    ...(blocked === undefined ? [] : [pendingText(blocked, step)]),
  ];
}

/** A person's answer to a report, as the assistant reads it. */
export function answerText({ text, by, at }: BlockedAnswer, step: string): string {
  return `${capitalized(by)} answered about ${step} (${shortTime(at)}): "${oneLine(text, 2000)}"`;
}

/** One sentence for each person and reason: what is waived. */
export function waivedTexts(waived: readonly Waived[]): readonly string[] {
  const grouped = new Map<string, Waived[]>();
  for (const one of waived) {
    const key = JSON.stringify([one.by, one.reason]);
    grouped.set(key, [...(grouped.get(key) ?? []), one]);
  }
  return [...grouped.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const names = own.map(({ field }) => oneLine(field, 100)).join(", ");
    return [`${capitalized(first.by)} waived ${names}: ${oneLine(first.reason, 2000)}`];
  });
}

function pendingText({ reason, since }: BlockedReport, step: string): string {
  return `${step} was reported as blocked (${shortTime(since)}): "${oneLine(reason, 600)}". No person has answered yet.`;
}

function shortTime(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}

function capitalized(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
