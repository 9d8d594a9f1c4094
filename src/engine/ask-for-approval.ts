import { isFormEnough } from "../gates/approval-rule.ts";
import { digestOf } from "../kit/json.ts";
import { hasLetterOrDigit } from "../kit/visible-text.ts";
import type { CompleteCommand, SubmissionRef } from "../workflow/command.ts";
import { mergeWarnings } from "../workflow/notice.ts";
import { buildReply } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { ApprovalQuestion, Reply } from "./reply.ts";
import { retryUntilChecked } from "./step-checks.ts";
import { transact } from "./transact.ts";

/** A person's approval, and the submission it covers. */
export type ApprovalGiven = Pick<CompleteCommand, "approval" | "approvedSubmission"> &
  Partial<Pick<CompleteCommand, "fingerprint">>;

/** Work that may need approval; it does not hold the turn while a person is asked. */
export type ApprovableWork = {
  readonly inTurn: (work: () => Promise<Reply>) => Promise<Reply>;
  /** The person's words, as relayed by the assistant. */
  readonly confirmation: string | undefined;
  readonly carryOut: (given: ApprovalGiven) => Promise<Reply>;
};

/** A person is asked again if the submission changes while they read, at most this many times. */
const maxQuestions = 3;

/** Runs work with a person's approval where it needs one: asked for through the client, or relayed by the assistant. */
export async function askForApproval(deps: EngineDeps, caller: CallerContext, work: ApprovableWork): Promise<Reply> {
  const { inTurn, confirmation: relayedWords } = work;
  const begun = performance.now();
  const attempt = (given: ApprovalGiven): Promise<Reply> =>
    retryUntilChecked(deps, caller, () => inTurn(() => work.carryOut(given)), begun);
  const answered = (kind: "decline" | "unanswered", about: SubmissionRef, reason: string | undefined): Promise<Reply> =>
    inTurn(async () => buildReply(deps, await transact(deps, caller, { kind, ...about, ...(reason && { reason }) })));
  const relayed: ApprovalGiven =
    relayedWords === undefined || !hasLetterOrDigit(relayedWords)
      ? {}
      : { approval: { level: "relayed", text: relayedWords } };
  if (caller.ask === undefined && caller.askOnPage === undefined) return attempt(relayed);

  let reply = await attempt(caller.ask === undefined ? relayed : {});
  // warnings of an earlier try must not get lost with its reply
  const then = (next: Reply): Reply => ({ ...next, warnings: mergeWarnings(reply.warnings, next.warnings) });
  for (let questions = 0; questions < maxQuestions; questions++) {
    const { outcome } = reply;
    if (outcome.kind !== "awaiting") return reply;
    const { ref, digest, submitted } = outcome;
    // nothing that a form returns can overrule a rejection of exactly this
    if (outcome.declined && isFormEnough(outcome.needs)) return reply;
    // a person who did not answer is not asked again here; the assistant may relay their approval
    if (outcome.unanswered) return relayed.approval === undefined ? reply : then(await attempt(relayed));
    const isByForm = isFormEnough(outcome.needs);
    // a correction waits on no page that a person could be sent to
    const askElsewhere = outcome.correction === undefined ? caller.askOnPage : undefined;
    if (isByForm ? caller.ask === undefined : askElsewhere === undefined) return then(await attempt(relayed));
    const key = digestOf([caller.id, { ...reply.id }, { ...ref }, digest]);
    const files = await deps.content.read(deps.id, ref, submitted.content ?? []);
    const asked: ApprovalQuestion = { reply, key, files, confirmation: relayedWords };
    if (!isByForm || caller.ask === undefined) {
      const went = await askElsewhere?.(asked);
      if (went === "pending") return { ...reply, question: asked };
      const next = then(await attempt({}));
      // if they answered there, the answer is recorded by now
      const wasInVain = went === "asked" && next.outcome.kind === "awaiting" && next.outcome.digest === digest;
      return wasInVain ? then(await answered("unanswered", { ref, digest }, undefined)) : next;
    }
    const answer = await caller.ask(asked);
    switch (answer.kind) {
      case "yes": {
        const text = answer.comment === undefined ? {} : { text: answer.comment };
        reply = then(await attempt({ approval: { level: "elicited", ...text }, approvedSubmission: { ref, digest } }));
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
