import type { Reply } from "../engine/reply.ts";
import { botRefusal } from "../words/bots.ts";
import { phaseRefusal } from "../words/phases.ts";
import { sessionView } from "../words/session-view.ts";
import type { Refusal } from "../workflow/refusal.ts";

/** A no as whoever ran a command reads it, with what to do now. */
export function refusalText({ id, desk }: Pick<Reply, "id" | "desk">, refusal: Refusal): string {
  const { message, reason, required_action } =
    id.kind === "bot" ? botRefusal(refusal, id.name) : phaseRefusal(refusal, sessionView(id.name, desk), false);
  return [message, reason, required_action]
    .flatMap((text) => text ?? [])
    .map(asSentence)
    .join(" ");
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
