import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { ApprovalWait, SubmissionReview } from "../../../engine/submissions.ts";
import { defaultExpiry } from "../../../gates/approval-rule.ts";
import { type Statement, statementFor } from "../../../gates/approval-statement.ts";
import { defined } from "../../../kit/defined.ts";
import { isSameAttempt } from "../../../workflow/step-ref.ts";
import { submissionContext } from "../../overview/submission-context.ts";
import { answerResult } from "./answer-response.ts";
import type { AnswerResult, PasskeyAnswer } from "./page-data.ts";
import type { PageHandler, PageOrigin } from "./pages.ts";
import {
  changedRefusal,
  invalidData,
  passkeyForm,
  passkeysFor,
  signedByPasskey,
  signingRequest,
} from "./passkey-signing.ts";
import { respondActions } from "./respond-actions.ts";
import { reviewData } from "./review-data.ts";
import type { ApproverCandidate, ReviewPageDeps } from "./review-page-deps.ts";

/** The number of statements that can wait for a signature; older ones must be requested again. */
const maxStatements = 20;

/** Builds a page that shows one submission and takes an answer signed with a passkey. */
export function reviewPage(parts: ReviewPageDeps): PageHandler {
  const made = new Map<string, Statement>();
  const look = async (): Promise<SubmissionReview | undefined> =>
    (await parts.engine.submissions()).find(({ ref }) => isSameAttempt(ref, parts.ref));
  return {
    data: async () =>
      reviewData(
        parts,
        await look(),
        (await parts.engine.openSteps()).find(({ ref }) => isSameAttempt(ref, parts.ref)),
        submissionContext(await parts.engine.overview(), parts.ref),
        await parts.candidates(),
      ),
    actions: {
      ...respondActions(parts),
      statement: async (data, here) => {
        const wanted = wantedForm.safeParse(data).data;
        if (wanted === undefined) return invalidData();
        const waits = (await look())?.waits;
        if (waits?.digest !== wanted.digest) return changedRefusal();
        const statement = statementOf(parts, waits, wanted);
        made.set(statement.nonce, statement);
        for (const nonce of [...made.keys()].slice(0, -maxStatements)) made.delete(nonce);
        return signingRequest(
          statement,
          passkeysFor(await parts.candidates(), here, wanted.decision === "reject" ? undefined : waits.needs.by),
        );
      },
      answer: async (data, here) => {
        const given = passkeyForm.safeParse(data).data;
        if (given === undefined) return invalidData();
        const statement = made.get(given.nonce);
        made.delete(given.nonce); // valid once, even if the answer fails
        if (statement === undefined) return changedRefusal();
        const candidates = await parts.candidates();
        return recordAnswer(parts, statement, given, here, candidates);
      },
    },
  };
}

/** Verifies an answer and records it. */
async function recordAnswer(
  { engine, ref, caller, answered }: ReviewPageDeps,
  statement: Statement,
  given: PasskeyAnswer,
  here: PageOrigin,
  candidates: readonly ApproverCandidate[],
): Promise<AnswerResult> {
  const proved = signedByPasskey(statement, given, here, candidates);
  if ("result" in proved) return proved;
  const { signed, name } = proved;
  const { digest, decision, comment } = statement;
  const said = comment === undefined ? {} : { comment };
  const reply = await engine.answer(caller, { ref, digest, decision, ...said, signed });
  const taken = answerResult(reply, { ref, nonce: statement.nonce });
  if (taken.result !== "refused") answered(reply, signed, name);
  return taken;
}

type RequestedDecision = z.infer<typeof wantedForm>;

function statementOf(
  { ref, clock }: ReviewPageDeps,
  waits: ApprovalWait,
  { decision, comment }: RequestedDecision,
): Statement {
  const { project, run, digest, needs } = waits;
  return statementFor(
    { ...ref, project, run, digest },
    { decision, ...defined({ comment }) },
    { now: clock(), nonce: randomUUID(), seconds: needs.expires ?? defaultExpiry },
  );
}

const wantedForm = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  digest: z.string(),
  comment: z.string().min(1).max(1500).optional(),
});
