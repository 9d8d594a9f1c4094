import type { Reply } from "../engine/reply.ts";
import type { ApprovalLevel, ApprovalRule } from "../gates/approval-rule.ts";
import { oneLine } from "../kit/one-line.ts";
import type { StepRef } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { isSufficient } from "../workflow/required-approval.ts";
import type { Rejection } from "../workflow/stream-snapshot.ts";
import { runLabel } from "./stream-words.ts";

/** The approval that is needed, in words: its level, from whom, and from how many. */
export function approvalText({ level, by, count }: ApprovalRule): string {
  if (count === 1) return `approval from ${by === undefined ? "one person" : joinNames(by)}${levelText(level)}`;
  const whose = by === undefined ? "" : ` out of ${by.join(", ")}`;
  return `approval from ${count} people${whose}${levelText(level, "each ")}`;
}

function levelText(level: ApprovalLevel, each = ""): string {
  switch (level) {
    case "relayed":
      return "";
    case "elicited":
      return ", given directly (elicited, not relayed)";
    case "proven":
      return `, ${each}signed with their own key (proven)`;
  }
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Names the people a submission is still waiting for. */
export function approvalWaitText({ level, by, count }: ApprovalRule, given: readonly string[] = []): string {
  const left = count - given.length;
  const open = by?.filter((name) => !given.includes(name));
  const who = open === undefined ? (left === 1 ? "a person" : `${left} people`) : joinNames(open);
  const how = level === "relayed" ? "" : ` (${level})`;
  return `${who}${how}${given.length === 0 ? "" : `; ${given.join(", ")} approved`}`;
}

/** Tells the assistant which approval is needed, from whom and where; `tool` takes one that is relayed. */
export function howToApproveText(id: Reply["id"], outcome: Outcome & { kind: "awaiting" }, tool: string): string {
  const { needs, insufficientLevel, given, unanswered } = outcome;
  if (isSufficient({ level: "relayed" }, needs))
    return unanswered
      ? `They were asked through this client and did not answer. A relayed approval from one person is enough: if they have told you that they approve, call ${tool} again with their own words as confirmation; that is recorded as relayed by you.`
      : `A relayed approval from one person is enough: ask them, then call ${tool} again with their own words as confirmation.`;
  const names = given.flatMap(({ person }) => person?.name ?? []);
  return [
    ...(insufficientLevel === undefined ? [] : ["The confirmation you sent does not count here."]),
    `It needs ${approvalText(needs)}${names.length === 0 ? "" : ` (${names.join(", ")} approved)`}.`,
    `Ask them to run waymark approve ${runArgument(id, outcome.ref)} in a terminal, then send the same call again to continue.`,
  ].join(" ");
}

/** A person's rejection, shown before anything else when the assistant returns to the step. */
export function rejectionText({ reason, by, at }: Rejection, step: string): string {
  const who = by === undefined ? "A person" : by;
  const why = reason === undefined ? "" : `: ${oneLine(reason, 2000)}`;
  return `${who} rejected ${step} (${at.slice(0, 16).replace("T", " ")})${why.replace(/[.\s]+$/, "")}. Fix that first, then submit it again.`;
}

/** Says what an accepted answer leaves to be done. */
export function pendingText(outcome: Outcome): string {
  if (outcome.kind === "checking") return "Its checks are rerunning; the assistant's next call completes it.";
  if (outcome.kind !== "awaiting") return "The assistant's next call continues from there.";
  const { needs, given } = outcome;
  return `It needs ${approvalText(needs)}: ${given.length} of ${needs.count} given.`;
}

/** The prompt with which a person sends their assistant back to a run. */
export function continuePrompt({ kind, name, run }: Reply["id"], { workflow }: Pick<StepRef, "workflow">): string {
  if (kind === "session") return `Go on with Waymark session ${name}.`;
  return `Go on with ${workflow} of ${name} in Waymark${run === undefined ? "" : `, run ${run}`}.`;
}

/** The argument that names a run for `waymark show` and `waymark approve`. */
export function runArgument(id: Reply["id"], { workflow }: Pick<StepRef, "workflow">): string {
  const name = runLabel(id, workflow);
  return id.run === undefined ? name : `${name} --run ${id.run}`;
}
