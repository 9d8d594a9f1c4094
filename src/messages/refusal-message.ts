import type { Reply } from "../engine/reply.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { sessionView } from "../workflow/session-view.ts";
import { botRefusalMessage } from "./bot-refusals.ts";
import { phaseRefusalMessage } from "./phase-refusals.ts";
import type { RefusalMessage } from "./refusal-codes.ts";

/** Words a refusal for a person, in the terms of its bot or session. */
export function refusalMessage({ id, stream }: Pick<Reply, "id" | "stream">, refusal: Refusal): RefusalMessage {
  return id.kind === "bot"
    ? botRefusalMessage(refusal, id.name)
    : phaseRefusalMessage(refusal, sessionView(id.name, stream), false);
}
