import { isFormEnough } from "../evidence/approval.ts";
import { digestOf } from "../evidence/json.ts";
import { isWord } from "../evidence/persons-word.ts";
import type { Agreed, CompleteCommand } from "../workflow/command.ts";
import { eachOnce } from "../workflow/notice.ts";
import type { Asked, Calling } from "./caller.ts";
import { untilChecked } from "./checks.ts";
import { describe } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Reply } from "./reply.ts";
import { transact } from "./transact.ts";

/** A person's word, and what it was given to. */
export type Given = Pick<CompleteCommand, "word" | "agreed"> & Partial<Pick<CompleteCommand, "fingerprint">>;

/** What may need a person's word; nobody's turn is taken while they are asked. */
export type Work = {
  readonly inTurn: (work: () => Promise<Reply>) => Promise<Reply>;
  /** What the assistant says that the person said. */
  readonly confirmation: string | undefined;
  readonly carryOut: (given: Given) => Promise<Reply>;
};

/** A person is asked again where something else was handed in while they read; after so many times nobody can be said to have answered. */
const mostQuestions = 3;

/** Carries something out with a person's word where one is needed: asked for through the client if it can ask, else as the assistant passes it on. */
export async function askForWord(parts: DeskParts, caller: Calling, work: Work): Promise<Reply> {
  const { inTurn, confirmation: said } = work;
  const begun = performance.now();
  const attempt = (given: Given): Promise<Reply> =>
    untilChecked(parts, caller, () => inTurn(() => work.carryOut(given)), begun);
  const answered = (kind: "decline" | "unanswered", about: Agreed, reason: string | undefined): Promise<Reply> =>
    inTurn(async () => describe(parts, await transact(parts, caller, { kind, ...about, ...(reason && { reason }) })));
  const relayed: Given = said === undefined || !isWord(said) ? {} : { word: { level: "relayed", text: said } };
  if (caller.ask === undefined && caller.askElsewhere === undefined) return attempt(relayed);

  let reply = await attempt(caller.ask === undefined ? relayed : {});
  // What was found out at an earlier try is said once: it must not get lost with that reply.
  const then = (next: Reply): Reply => ({ ...next, warnings: eachOnce(reply.warnings, next.warnings) });
  for (let questions = 0; questions < mostQuestions; questions++) {
    const { outcome } = reply;
    if (outcome.kind !== "awaiting") return reply;
    const { ref, digest, handed } = outcome;
    // Asked in vain once, a person is not asked again here; the assistant may then pass their word on.
    if (outcome.unanswered) return relayed.word === undefined ? reply : then(await attempt(relayed));
    const isByForm = isFormEnough(outcome.needs);
    // A correction waits nowhere that a person could be sent to.
    const askElsewhere = outcome.correction === undefined ? caller.askElsewhere : undefined;
    if (isByForm ? caller.ask === undefined : askElsewhere === undefined) return then(await attempt(relayed));
    const key = digestOf([caller.id, { ...reply.id }, { ...ref }, digest]);
    const files = await parts.content.read(parts.id, ref, handed.content ?? []);
    const asked: Asked = { reply, key, files, confirmation: said };
    if (!isByForm || caller.ask === undefined) {
      const went = await askElsewhere?.(asked);
      if (went === "pending") return { ...reply, question: asked };
      const next = then(await attempt({}));
      // What they say there is on record by now, if they said anything.
      const wasInVain = went === "asked" && next.outcome.kind === "awaiting" && next.outcome.digest === digest;
      return wasInVain ? then(await answered("unanswered", { ref, digest }, undefined)) : next;
    }
    const answer = await caller.ask(asked);
    switch (answer.kind) {
      case "yes": {
        const text = answer.comment === undefined ? {} : { text: answer.comment };
        reply = then(await attempt({ word: { level: "elicited", ...text }, agreed: { ref, digest } }));
        break;
      }
      case "no":
        return then(await answered("decline", { ref, digest }, answer.comment));
      case "none":
        return then(await answered("unanswered", { ref, digest }, undefined));
      case "pending":
        return { ...reply, question: asked };
      case "late":
        return reply;
    }
  }
  return reply;
}
