import type { Reply } from "../engine/reply.ts";

/** A hand-in that a person has said no to does not wait for a word: it is answered with that no again. */
export function declinedAgain<R extends Reply>(reply: R): R {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting" || !outcome.declined) return reply;
  const { ref, handed } = outcome;
  const refusal = { kind: "declined", step: ref.step } as const;
  return { ...reply, outcome: { kind: "refused", workflow: ref.workflow, current: ref, refusal, kept: handed } };
}
