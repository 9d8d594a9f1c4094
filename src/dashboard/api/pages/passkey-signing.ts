import * as z from "zod/v4";
import { challengeOf, type Decision, type SignedStatement, type Statement } from "../../../gates/approval-statement.ts";
import { refusal } from "../../../http/refusal-response.ts";
import type { Approver } from "../../../people/approver.ts";
import { verifyProof } from "../../../people/verify-proof.ts";
import type { AnswerResult, PasskeyAnswer, StatementToSign } from "./page-data.ts";
import type { PageOrigin } from "./pages.ts";
import type { ApproverCandidate } from "./review-page-deps.ts";

type Passkey = Approver & { readonly kind: "passkey" };

/** Asks one of these passkeys to sign a statement. */
export function signingRequest(
  statement: Statement<Decision>,
  passkeys: readonly Passkey[],
): StatementToSign | Response {
  const [first] = passkeys;
  if (first === undefined) return refusal(409, "forbidden", "No passkey trusted here may answer this.");
  return {
    nonce: statement.nonce,
    challenge: challengeOf(statement).toString("base64url"),
    rpId: first.rpId,
    credentials: passkeys.map(({ credential }) => credential),
  };
}

/** Lists the trusted passkeys of a page; `by` limits them to the named people. */
export function passkeysFor(
  candidates: readonly ApproverCandidate[],
  { rpId }: PageOrigin,
  by: readonly string[] | undefined,
): readonly Passkey[] {
  const trusted = candidates.filter((one) => one.trusted).map(({ approver }) => approver);
  return trusted.filter(
    (one): one is Passkey => isPasskey(one) && one.rpId === rpId && (by === undefined || by.includes(one.name)),
  );
}

/** Verifies that an enrolled passkey of this page signed a statement. */
export function signedByPasskey<D extends Decision>(
  statement: Statement<D>,
  { credential, authenticatorData, clientDataJSON, signature }: PasskeyAnswer,
  { origin, rpId }: PageOrigin,
  candidates: readonly ApproverCandidate[],
): { readonly signed: SignedStatement<D>; readonly name: string } | AnswerResult {
  const approver = candidates
    .map((one) => one.approver)
    .find((one) => isPasskey(one) && one.credential === credential && one.rpId === rpId);
  if (approver === undefined) return { result: "refused", message: "This passkey is not enrolled here." };
  const proof = { kind: "passkey", key: approver.key, authenticatorData, clientDataJSON, signature, origin } as const;
  const signed: SignedStatement<D> = { statement, proof };
  const proved = verifyProof(signed, approver);
  if (proved !== true) return { result: "refused", message: `The answer was not accepted: ${proved}.` };
  return { signed, name: approver.name };
}

/** Refuses what is no longer as the page showed it. */
export function changedRefusal(): Response {
  return refusal(409, "conflict", "It has changed or was already answered. Reload the page.");
}

/** Refuses data that no page of ours sends. */
export function invalidData(): Response {
  return refusal(400, "invalid_input", "The page sent invalid data. Reload it.");
}

const binary = z.string().regex(/^[\w-]{1,20000}$/);

/** The answer of a passkey. */
export const passkeyForm = z.strictObject({
  nonce: z.string(),
  credential: binary,
  authenticatorData: binary,
  clientDataJSON: binary,
  signature: binary,
});

function isPasskey(approver: Approver): approver is Passkey {
  return approver.kind === "passkey";
}
