import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { ApprovalWait, SubmissionReview } from "../../../engine/submissions.ts";
import { defaultExpiry } from "../../../gates/approval-rule.ts";
import { challengeOf, type SignedStatement, type Statement, statementFor } from "../../../gates/approval-statement.ts";
import { refusal } from "../../../http/refusal-response.ts";
import { defined } from "../../../kit/defined.ts";
import type { Approver } from "../../../people/approver.ts";
import { verifyProof } from "../../../people/verify-proof.ts";
import type { StepRef } from "../../../workflow/events.ts";
import { submissionContext } from "../../overview/submission-context.ts";
import { answerResult } from "./answer-response.ts";
import type { AnswerResult, PasskeyAnswer, StatementToSign } from "./page-data.ts";
import type { PageHandler, PageOrigin } from "./pages.ts";
import { reviewData } from "./review-data.ts";
import type { ApproverCandidate, ReviewPageDeps } from "./review-page-deps.ts";

type Passkey = Approver & { readonly kind: "passkey" };

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
        submissionContext(await parts.engine.overview(), parts.ref),
        await parts.candidates(),
      ),
    actions: {
      statement: async (data, here) => {
        const wanted = wantedForm.safeParse(data).data;
        if (wanted === undefined) return invalidData();
        const waits = (await look())?.waits;
        if (waits?.digest !== wanted.digest) return changedRefusal();
        const statement = statementOf(parts, waits, wanted);
        made.set(statement.nonce, statement);
        for (const nonce of [...made.keys()].slice(0, -maxStatements)) made.delete(nonce);
        return signingRequest(statement, passkeysFor(await parts.candidates(), here, waits, wanted.decision));
      },
      answer: async (data, here) => {
        const given = answerForm.safeParse(data).data;
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
  { origin, rpId }: PageOrigin,
  candidates: readonly ApproverCandidate[],
): Promise<AnswerResult> {
  const approver = candidates
    .map((one) => one.approver)
    .find((one) => isPasskey(one) && one.credential === given.credential && one.rpId === rpId);
  if (approver === undefined) return { result: "refused", message: "This passkey is not enrolled here." };
  const { authenticatorData, clientDataJSON, signature } = given;
  const proof = { kind: "passkey", key: approver.key, authenticatorData, clientDataJSON, signature, origin } as const;
  const signed: SignedStatement = { statement, proof };
  const proved = verifyProof(signed, approver);
  if (proved !== true) return { result: "refused", message: `The answer was not accepted: ${proved}.` };
  const { digest, decision, comment } = statement;
  const said = defined({ comment });
  const reply = await engine.answer(caller, { ref, digest, decision, ...said, signed });
  const taken = answerResult(reply, { ref, nonce: statement.nonce });
  if (taken.result !== "refused") answered(reply, signed, approver.name);
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

function signingRequest(statement: Statement, passkeys: readonly Passkey[]): StatementToSign | Response {
  const [first] = passkeys;
  if (first === undefined) return refusal(409, "forbidden", "No passkey trusted here may answer this.");
  return {
    nonce: statement.nonce,
    challenge: challengeOf(statement).toString("base64url"),
    rpId: first.rpId,
    credentials: passkeys.map(({ credential }) => credential),
  };
}

/** Lists the passkeys that can answer: those of the named approvers to approve, all to reject. */
function passkeysFor(
  candidates: readonly ApproverCandidate[],
  { rpId }: PageOrigin,
  { needs: { by } }: ApprovalWait,
  decision: Statement["decision"],
): readonly Passkey[] {
  const trusted = candidates.filter((one) => one.trusted).map(({ approver }) => approver);
  const mayAnswer = (name: string): boolean => decision === "reject" || by === undefined || by.includes(name);
  return trusted.filter((one): one is Passkey => isPasskey(one) && one.rpId === rpId && mayAnswer(one.name));
}

function isPasskey(approver: Approver): approver is Passkey {
  return approver.kind === "passkey";
}

function isSameAttempt(one: StepRef, other: StepRef): boolean {
  const parts = ["workflow", "step", "pass", "attempt"] as const;
  return parts.every((part) => one[part] === other[part]);
}

function changedRefusal(): Response {
  return refusal(409, "conflict", "It has changed or was already answered. Reload the page.");
}

function invalidData(): Response {
  return refusal(400, "invalid_input", "The page sent invalid data. Reload it.");
}

const wantedForm = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  digest: z.string(),
  comment: z.string().min(1).max(1500).optional(),
});

const binary = z.string().regex(/^[\w-]{1,20000}$/);

const answerForm = z.strictObject({
  nonce: z.string(),
  credential: binary,
  authenticatorData: binary,
  clientDataJSON: binary,
  signature: binary,
});
