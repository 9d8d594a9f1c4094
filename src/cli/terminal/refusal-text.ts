import type { Reply } from "../../engine/reply.ts";
import { botRefusalMessage } from "../../messages/bot-refusals.ts";
import { phaseRefusalMessage } from "../../messages/phase-refusals.ts";
import type { Refusal } from "../../workflow/refusal.ts";
import { sessionView } from "../../workflow/session-view.ts";

/** Formats a refusal with what to do next. */
export function refusalText({ id, stream }: Pick<Reply, "id" | "stream">, refusal: Refusal): string {
  const { message, reason, required_action } =
    id.kind === "bot"
      ? botRefusalMessage(refusal, id.name)
      : phaseRefusalMessage(refusal, sessionView(id.name, stream), false);
  return [message, reason, required_action]
    .flatMap((text) => text ?? [])
    .map(asSentence)
    .join(" ");
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
