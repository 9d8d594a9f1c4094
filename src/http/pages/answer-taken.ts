import type { Reply } from "../../engine/reply.ts";
import { approvalInWords } from "../../words/approval.ts";
import { botRefusal } from "../../words/bots.ts";
import { phaseRefusal } from "../../words/phases.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { Refusal } from "../../workflow/refusal.ts";
import type { AnswerTaken } from "./page-data.ts";

/** What became of a person's answer, for whoever gave it; one that is on record is never called refused. */
export function answerTaken(reply: Reply, given: { readonly ref: StepRef; readonly nonce: string }): AnswerTaken {
  const { outcome } = reply;
  switch (outcome.kind) {
    case "completed":
    case "finished":
      return { result: "completed", message: "The step is completed. The assistant's next call goes on from there." };
    case "refused":
      if (outcome.refusal.kind === "declined")
        return { result: "rejected", message: "The step stays open. The assistant reads your reason first." };
      return isGiven(reply, given)
        ? { result: "recorded", message: `It is not completed yet: ${said(reply, outcome.refusal)}` }
        : { result: "refused", message: said(reply, outcome.refusal) };
    case "awaiting": {
      const { needs, given: so } = outcome;
      const more = `It needs ${approvalInWords(needs)}: ${so.length} of ${needs.count} given.`;
      return { result: "recorded", message: more };
    }
    case "checking":
      return { result: "recorded", message: "Its checks are run again: the assistant's next call completes it." };
    default:
      return { result: "recorded", message: "The assistant's next call goes on from there." };
  }
}

function isGiven({ desk }: Reply, { ref, nonce }: { readonly ref: StepRef; readonly nonce: string }): boolean {
  const { approvals = [] } = desk.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  return approvals.some(({ signed }) => signed?.statement.nonce === nonce);
}

function said({ id }: Reply, refusal: Refusal): string {
  const { message, required_action } =
    id.kind === "bot" ? botRefusal(refusal, id.name) : phaseRefusal(refusal, null, false);
  return [message, required_action].flatMap((text) => text ?? []).join(" ");
}
