import type { Reply } from "../../../engine/reply.ts";
import { pendingText } from "../../../messages/approval-texts.ts";
import { refusalMessage } from "../../../messages/refusal-message.ts";
import type { StepRef } from "../../../workflow/events.ts";
import type { Refusal } from "../../../workflow/refusal.ts";
import type { AnswerResult } from "./page-data.ts";

/** Describes the result of an answer to the person; a recorded one is never called refused. */
export function answerResult(reply: Reply, given: { readonly ref: StepRef; readonly nonce: string }): AnswerResult {
  const { outcome } = reply;
  switch (outcome.kind) {
    case "completed":
    case "finished":
      return { result: "completed", message: "The step is completed. The assistant's next call continues from there." };
    case "refused":
      if (outcome.refusal.kind === "declined")
        return { result: "rejected", message: "The step stays open. The assistant reads your reason first." };
      return isRecorded(reply, given)
        ? { result: "recorded", message: `Not completed yet: ${refusalSentence(reply, outcome.refusal)}` }
        : { result: "refused", message: refusalSentence(reply, outcome.refusal) };
    default:
      return { result: "recorded", message: pendingText(outcome) };
  }
}

function isRecorded({ stream }: Reply, { ref, nonce }: { readonly ref: StepRef; readonly nonce: string }): boolean {
  const { approvals = [] } = stream.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  return approvals.some(({ signed }) => signed?.statement.nonce === nonce);
}

/** Words a refusal for the person on the page. */
export function refusalSentence(reply: Reply, refusal: Refusal): string {
  const { message, required_action } = refusalMessage(reply, refusal);
  return [message, required_action].flatMap((text) => text ?? []).join(" ");
}
