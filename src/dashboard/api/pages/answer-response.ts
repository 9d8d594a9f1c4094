import type { Reply } from "../../../engine/reply.ts";
import { continuePrompt, pendingText } from "../../../messages/approval-texts.ts";
import { refusalMessage } from "../../../messages/refusal-message.ts";
import type { StepRef } from "../../../workflow/events.ts";
import type { Refusal } from "../../../workflow/refusal.ts";
import type { AnswerReceipt, AnswerResult } from "./page-data.ts";
import type { ReviewPageDeps } from "./review-page-deps.ts";

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

/** Adds to the result of a recorded answer what it left on record, and the prompt with which the assistant goes on. */
export async function withReceipt(
  { engine, ref, clock }: Pick<ReviewPageDeps, "engine" | "ref" | "clock">,
  result: AnswerResult,
  { by, how }: Pick<AnswerReceipt, "by" | "how">,
): Promise<AnswerResult> {
  if (result.result === "refused") return result;
  const { id, seen, head } = await engine.overview();
  const receipt = { by, how, at: clock().toISOString(), record: seen, head: head.slice(0, 16) };
  const isOver = result.result === "recorded";
  return {
    ...result,
    receipt,
    ...(isOver ? {} : { prompt: `I have answered. ${continuePrompt(id, ref)}` }),
  };
}

/** Words a refusal for the person on the page. */
export function refusalSentence(reply: Reply, refusal: Refusal): string {
  const { message, required_action } = refusalMessage(reply, refusal);
  return [message, required_action].flatMap((text) => text ?? []).join(" ");
}
