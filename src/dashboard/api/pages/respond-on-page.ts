import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { OpenStepReview } from "../../../engine/open-steps.ts";
import { defaultExpiry, isBelow } from "../../../gates/approval-rule.ts";
import { type SignedStatement, type Statement, statementFor } from "../../../gates/approval-statement.ts";
import { responseDigest } from "../../../gates/waiver.ts";
import { refusal } from "../../../http/refusal-response.ts";
import { defined } from "../../../kit/defined.ts";
import { isSameAttempt } from "../../../workflow/step-ref.ts";
import { refusalSentence, withReceipt } from "./answer-response.ts";
import type { AnswerReceipt, AnswerResult, StatementToSign } from "./page-data.ts";
import type { PageOrigin } from "./pages.ts";
import { changedRefusal, type PasskeySigning } from "./passkey-signing.ts";
import type { ReviewPageDeps } from "./review-page-deps.ts";

/** An answer to a blocked step or, with fields, a waiver. */
export type GivenResponse = z.infer<typeof responseForm>;

/** The form of an answer or waiver that a page sends. */
export const responseForm = z.strictObject({
  text: z.string().min(1).max(2000),
  fields: z.array(z.string().max(1000)).min(1).max(100).optional(),
  follows: z.string().max(200).optional(),
  ends: z.string().max(100).optional(),
});

/** The open step that a page is about, if it is still open. */
export async function openStepOf({ engine, ref }: ReviewPageDeps): Promise<OpenStepReview | undefined> {
  return (await engine.openSteps()).find((one) => isSameAttempt(one.ref, ref));
}

/** Asks for the person's passkey to sign an answer or waiver, and records it then. */
export async function signResponse(
  parts: ReviewPageDeps,
  signing: PasskeySigning,
  given: GivenResponse,
  here: PageOrigin,
): Promise<StatementToSign | Response> {
  const open = await openStepOf(parts);
  if (open === undefined) return changedRefusal();
  const { project, first, run, needs } = open;
  const { text, fields, follows, ends } = given;
  const statement: Statement<"answer" | "waive"> = statementFor(
    { ...parts.ref, project, first, run, digest: responseDigest(fields, ends ?? follows) },
    { decision: fields === undefined ? "answer" : "waive", comment: text },
    { now: parts.clock(), nonce: randomUUID(), seconds: needs.expires ?? defaultExpiry },
  );
  return signing.ask(statement, here, isWaiving(given) ? needs.by : undefined, (signed, by) =>
    record(parts, given, { by, how: "with a passkey" }, signed),
  );
}

/** Records an answer or waiver on a token alone, where that is enough. */
export async function respondUnsigned(parts: ReviewPageDeps, given: GivenResponse): Promise<AnswerResult | Response> {
  const open = await openStepOf(parts);
  if (open === undefined) return changedRefusal();
  const needsKey = isWaiving(given) && isBelow("elicited", open.needs.level);
  if (parts.unsigned !== true || needsKey) return refusal(403, "forbidden", "This needs your passkey.");
  return record(parts, given, { by: parts.caller.name ?? "you", how: "with a token" });
}

/** Tells if a response needs the approval level of the step: a waiver, or passing a bound. */
function isWaiving({ fields, follows }: GivenResponse): boolean {
  return fields !== undefined || follows !== undefined;
}

async function record(
  parts: ReviewPageDeps,
  { text, fields, follows, ends }: GivenResponse,
  person: Pick<AnswerReceipt, "by" | "how">,
  signed?: SignedStatement<"answer" | "waive">,
): Promise<AnswerResult> {
  const { engine, ref, caller } = parts;
  const reply = await engine.respond(caller, { ref, text, ...defined({ fields, follows, ends, signed }) });
  const { outcome } = reply;
  if (outcome.kind === "refused") return { result: "refused", message: refusalSentence(reply, outcome.refusal) };
  const what =
    ends !== undefined
      ? `The run ended as ${ends}.`
      : `${follows === undefined ? "The step is open again." : "Recorded."} The assistant reads your text first.`;
  return withReceipt(parts, { result: "responded", message: what }, person);
}
