import type { Event } from "./events.ts";
import type { GivenApproval, Rejection, StepState } from "./stream-snapshot.ts";

/** The wait of a submission that no gate refused, since it was first submitted exactly so. */
export function waitingSince({ waiting }: StepState, event: Event & { type: "handed_in" }): Pick<StepState, "waiting"> {
  const { at, digest, outputs, evidence, content } = event;
  if ((outputs ?? evidence ?? content ?? digest) === undefined) return waiting === undefined ? {} : { waiting };
  const since = waiting !== undefined && waiting.digest === digest ? waiting.since : at;
  const { fingerprint } = event;
  const sent = fingerprint === undefined ? {} : { fingerprint };
  return { waiting: digest === undefined ? { since } : { since, digest, ...sent } };
}

/** The limit of answers remembered for one attempt, so that a forged history cannot grow it. */
const maxRemembered = 500;

/** Adds an approval from elsewhere. */
export function withApproval(
  { approvals = [] }: StepState,
  event: Event & { type: "approved" },
): Pick<StepState, "approvals"> {
  const { at, digest, level, comment, expires, person, signed } = event;
  const given: GivenApproval = {
    at,
    digest,
    level,
    expires,
    ...(comment === undefined ? {} : { comment }),
    ...(person === undefined ? {} : { person }),
    ...(signed === undefined ? {} : { signed }),
  };
  return { approvals: [...approvals, given].slice(-maxRemembered) };
}

/** Sets the rejection that a returning caller is shown. */
export function withRejection({
  at,
  digest,
  reason,
  person,
}: Event & { type: "declined" }): Pick<StepState, "rejection"> {
  if (digest === undefined) return {};
  const by = person === undefined ? {} : { by: person.name };
  return { rejection: { at, digest, ...(reason === undefined ? {} : { reason }), ...by } };
}

/** Tells if a statement was recorded before in this attempt. */
export function isUsedNonce({ nonces = [] }: StepState, nonce: string): boolean {
  return nonces.includes(nonce);
}

/** Notes the nonce of a statement; it counts once. */
export function usedNonces(
  { nonces = [] }: Pick<StepState, "nonces">,
  { signed }: { readonly signed?: { readonly statement: { readonly nonce: string } } },
): Pick<StepState, "nonces"> {
  return signed === undefined ? {} : { nonces: [...nonces, signed.statement.nonce].slice(-maxRemembered) };
}

/** Tells if something else is submitted than what a person rejected. */
export function isNewSubmission(
  { digest, outputs, evidence, content }: Event & { type: "handed_in" },
  rejected: Rejection,
): boolean {
  return digest === undefined ? (outputs ?? evidence ?? content) !== undefined : digest !== rejected.digest;
}

/** Notes that a person was asked and did not answer. */
export function withUnanswered(
  { unanswered = [] }: Pick<StepState, "unanswered">,
  { digest, by }: Event & { type: "unanswered" },
): Pick<StepState, "unanswered"> {
  return digest === undefined ? {} : { unanswered: [...unanswered, { digest, by }].slice(-maxRemembered) };
}

/** A person's answer given elsewhere, as recorded; a run can also end by one. */
export type AnswerEvent = Event & { readonly type: "approved" | "declined" | "answered" | "waived" | "finished" };

/** Tells if a record is a person's answer given elsewhere. */
export function isAnswer(event: Event): event is AnswerEvent {
  if (event.type === "finished") return event.level !== undefined;
  return ["approved", "declined", "answered", "waived"].includes(event.type);
}

/** Tells if a record claims what an audit must check: proof by a person's key, or that a person waived something. */
export function isProven(event: Event): boolean {
  if (event.type === "completed") return event.word?.level === "proven" || event.waived !== undefined;
  if (event.type === "checked") return event.result.signed !== undefined;
  return isAnswer(event) && (event.signed !== undefined || event.level === "proven");
}
