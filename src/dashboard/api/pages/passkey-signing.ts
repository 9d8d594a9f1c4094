import * as z from "zod/v4";
import { challengeOf, type Decision, type SignedStatement, type Statement } from "../../../gates/approval-statement.ts";
import { refusal } from "../../../http/refusal-response.ts";
import type { Approver } from "../../../people/approver.ts";
import { verifyProof } from "../../../people/verify-proof.ts";
import type { AnswerResult, PasskeyAnswer, StatementToSign } from "./page-data.ts";
import type { PageHandler, PageOrigin } from "./pages.ts";
import type { ApproverCandidate, ReviewPageDeps } from "./review-page-deps.ts";

type Passkey = Approver & { readonly kind: "passkey" };

/** Records a signed statement; `name` is the person's. */
type RecordSigned<D extends Decision> = (signed: SignedStatement<D>, name: string) => Promise<AnswerResult>;

/** Statements that wait for a passkey; each can be answered once. */
export type PasskeySigning = {
  /** Asks a passkey of these people to sign a statement; anyone's if `by` is left out. */
  ask<D extends Decision>(
    statement: Statement<D>,
    here: PageOrigin,
    by: readonly string[] | undefined,
    record: RecordSigned<D>,
  ): Promise<StatementToSign | Response>;
  /** Verifies a passkey's answer and records what it signed. */
  readonly answer: PageHandler["actions"][string];
};

/** The number of statements that can wait for a signature; older ones must be requested again. */
const maxStatements = 20;

/** Starts to take signatures on a page. */
export function passkeySigning(candidates: ReviewPageDeps["candidates"]): PasskeySigning {
  const waiting = new Map<string, (given: PasskeyAnswer, here: PageOrigin) => Promise<AnswerResult>>();
  return {
    async ask(statement, here, by, record) {
      const passkeys = passkeysFor(await candidates(), here, by);
      const [first] = passkeys;
      if (first === undefined) return refusal(409, "forbidden", "No passkey trusted here may answer this.");
      const { nonce } = statement;
      waiting.set(nonce, async (given, from) => {
        const proved = signedByPasskey(statement, given, from, await candidates());
        return "result" in proved ? proved : record(proved.signed, proved.name);
      });
      for (const old of [...waiting.keys()].slice(0, -maxStatements)) waiting.delete(old);
      const challenge = challengeOf(statement).toString("base64url");
      const credentials = passkeys.map(({ credential }) => credential);
      return { nonce, challenge, rpId: first.rpId, credentials };
    },
    async answer(data, here) {
      const given = passkeyForm.safeParse(data).data;
      if (given === undefined) return invalidData();
      const finish = waiting.get(given.nonce);
      waiting.delete(given.nonce); // valid once, even if the answer fails
      return finish === undefined ? changedRefusal() : finish(given, here);
    },
  };
}

/** Lists the trusted passkeys of a page; `by` limits them to the named people. */
function passkeysFor(
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
function signedByPasskey<D extends Decision>(
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
const passkeyForm = z.strictObject({
  nonce: z.string(),
  credential: binary,
  authenticatorData: binary,
  clientDataJSON: binary,
  signature: binary,
});

function isPasskey(approver: Approver): approver is Passkey {
  return approver.kind === "passkey";
}
