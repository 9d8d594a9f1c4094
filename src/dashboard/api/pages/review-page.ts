import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { ApprovalWait, SubmissionReview } from "../../../engine/submissions.ts";
import { defaultExpiry } from "../../../gates/approval-rule.ts";
import { type SignedStatement, type Statement, statementFor } from "../../../gates/approval-statement.ts";
import { defined } from "../../../kit/defined.ts";
import { isSameAttempt } from "../../../workflow/step-ref.ts";
import { submissionContext } from "../../overview/submission-context.ts";
import { answerResult, withReceipt } from "./answer-response.ts";
import type { AnswerResult } from "./page-data.ts";
import type { PageHandler } from "./pages.ts";
import { changedRefusal, invalidData, passkeySigning } from "./passkey-signing.ts";
import { openStepOf, respondUnsigned, responseForm, signResponse } from "./respond-on-page.ts";
import { reviewData } from "./review-data.ts";
import type { ReviewPageDeps } from "./review-page-deps.ts";

/** Builds a page that shows one submission and takes an answer, signed with a passkey where that is needed. */
export function reviewPage(parts: ReviewPageDeps): PageHandler {
  const signing = passkeySigning(parts.candidates);
  const look = async (): Promise<SubmissionReview | undefined> =>
    (await parts.engine.submissions()).find(({ ref }) => isSameAttempt(ref, parts.ref));
  return {
    data: async () =>
      reviewData(
        parts,
        await look(),
        await openStepOf(parts),
        submissionContext(await parts.engine.overview(), parts.ref),
        await parts.candidates(),
      ),
    actions: {
      statement: async (data, here) => {
        const response = responseForm.safeParse(data).data;
        if (response !== undefined) return signResponse(parts, signing, response, here);
        const wanted = wantedForm.safeParse(data).data;
        if (wanted === undefined) return invalidData();
        const waits = (await look())?.waits;
        if (waits?.digest !== wanted.digest) return changedRefusal();
        const by = wanted.decision === "reject" ? undefined : waits.needs.by;
        const record = (...proved: [SignedStatement, string]) => recordAnswer(parts, ...proved);
        return signing.ask(statementOf(parts, waits, wanted), here, by, record);
      },
      answer: signing.answer,
      respond: async (data) => {
        const response = responseForm.safeParse(data).data;
        return response === undefined ? invalidData() : respondUnsigned(parts, response);
      },
    },
  };
}

/** Records a signed answer. */
async function recordAnswer(parts: ReviewPageDeps, signed: SignedStatement, name: string): Promise<AnswerResult> {
  const { engine, ref, caller, answered } = parts;
  const { digest, decision, comment, nonce } = signed.statement;
  const reply = await engine.answer(caller, { ref, digest, decision, ...defined({ comment }), signed });
  const taken = answerResult(reply, { ref, nonce });
  if (taken.result !== "refused") answered(reply, signed, name);
  return withReceipt(parts, taken, { by: name, how: "with a passkey" });
}

type RequestedDecision = z.infer<typeof wantedForm>;

function statementOf(
  { ref, clock }: ReviewPageDeps,
  waits: ApprovalWait,
  { decision, comment }: RequestedDecision,
): Statement {
  const { project, first, run, digest, needs } = waits;
  return statementFor(
    { ...ref, project, first, run, digest },
    { decision, ...defined({ comment }) },
    { now: clock(), nonce: randomUUID(), seconds: needs.expires ?? defaultExpiry },
  );
}

const wantedForm = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  digest: z.string(),
  comment: z.string().min(1).max(1500).optional(),
});
