import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { OpenStepReview } from "../../../engine/open-steps.ts";
import { defaultExpiry, isBelow } from "../../../gates/approval-rule.ts";
import { type SignedStatement, type Statement, statementFor } from "../../../gates/approval-statement.ts";
import { responseDigest } from "../../../gates/waiver.ts";
import { refusal } from "../../../http/refusal-response.ts";
import { defined } from "../../../kit/defined.ts";
import { isSameAttempt } from "../../../workflow/step-ref.ts";
import { refusalSentence } from "./answer-response.ts";
import type { AnswerResult } from "./page-data.ts";
import type { PageHandler } from "./pages.ts";
import {
  changedRefusal,
  invalidData,
  passkeyForm,
  passkeysFor,
  signedByPasskey,
  signingRequest,
} from "./passkey-signing.ts";
import type { ReviewPageDeps } from "./review-page-deps.ts";

/** The number of statements that can wait for a signature; older ones must be requested again. */
const maxStatements = 20;

type GivenResponse = z.infer<typeof responseForm>;
type Made = { readonly statement: Statement<"answer" | "waive">; readonly given: GivenResponse };

/** The actions of a page with which a person answers or waives: with a passkey, or without one where their token is enough. */
export function respondActions(parts: ReviewPageDeps): PageHandler["actions"] {
  const made = new Map<string, Made>();
  const look = async (): Promise<OpenStepReview | undefined> =>
    (await parts.engine.openSteps()).find(({ ref }) => isSameAttempt(ref, parts.ref));
  return {
    propose: async (data, here) => {
      const given = responseForm.safeParse(data).data;
      if (given === undefined) return invalidData();
      const open = await look();
      if (open === undefined) return changedRefusal();
      const statement = statementOf(parts, open, given);
      made.set(statement.nonce, { statement, given });
      for (const nonce of [...made.keys()].slice(0, -maxStatements)) made.delete(nonce);
      const by = given.fields === undefined ? undefined : open.needs.by;
      return signingRequest(statement, passkeysFor(await parts.candidates(), here, by));
    },
    respond: async (data, here) => {
      const plain = responseForm.safeParse(data).data;
      if (plain !== undefined) return respondUnsigned(parts, await look(), plain);
      const answer = passkeyForm.safeParse(data).data;
      if (answer === undefined) return invalidData();
      const proposed = made.get(answer.nonce);
      made.delete(answer.nonce); // valid once, even if it fails
      if (proposed === undefined) return changedRefusal();
      const proved = signedByPasskey(proposed.statement, answer, here, await parts.candidates());
      return "result" in proved ? proved : record(parts, proposed.given, proved.signed);
    },
  };
}

/** Records a response on the word of a token; where a waiver must be proven, only a key counts. */
async function respondUnsigned(
  parts: ReviewPageDeps,
  open: OpenStepReview | undefined,
  given: GivenResponse,
): Promise<AnswerResult | Response> {
  if (open === undefined) return changedRefusal();
  const needsKey = given.fields !== undefined && isBelow("elicited", open.needs.level);
  if (parts.unsigned !== true || needsKey) return refusal(403, "forbidden", "This needs your passkey.");
  return record(parts, given);
}

async function record(
  { engine, ref, caller }: ReviewPageDeps,
  { text, fields }: GivenResponse,
  signed?: SignedStatement<"answer" | "waive">,
): Promise<AnswerResult> {
  const reply = await engine.respond(caller, { ref, text, ...defined({ fields, signed }) });
  const { outcome } = reply;
  if (outcome.kind === "refused") return { result: "refused", message: refusalSentence(reply, outcome.refusal) };
  return { result: "responded", message: "The step is open again. The assistant reads your text first." };
}

function statementOf(
  { ref, clock }: ReviewPageDeps,
  { project, run, needs }: OpenStepReview,
  { text, fields }: GivenResponse,
): Statement<"answer" | "waive"> {
  return statementFor(
    { ...ref, project, run, digest: responseDigest(fields) },
    { decision: fields === undefined ? "answer" : "waive", comment: text },
    { now: clock(), nonce: randomUUID(), seconds: needs.expires ?? defaultExpiry },
  );
}

const responseForm = z.strictObject({
  text: z.string().min(1).max(2000),
  fields: z.array(z.string().max(1000)).min(1).max(100).optional(),
});
