import type { Reply } from "../../engine/reply.ts";
import { refusalMessage } from "../../messages/refusal-message.ts";
import type { Refusal } from "../../workflow/refusal.ts";

/** Formats a refusal with what to do next. */
export function refusalText(reply: Pick<Reply, "id" | "stream">, refusal: Refusal): string {
  const { message, reason, required_action } = refusalMessage(reply, refusal);
  return [message, reason, required_action]
    .flatMap((text) => text ?? [])
    .map(asSentence)
    .join(" ");
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
