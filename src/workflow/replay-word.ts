import type { GivenApproval, Rejected, StepState } from "./desk.ts";
import type { Event } from "./events.ts";

/** A hand-in that no gate turned down waits for a person: since it was first handed in just so. */
export function waitingSince({ waiting }: StepState, event: Event & { type: "handed_in" }): Pick<StepState, "waiting"> {
  const { at, digest, outputs, evidence, content } = event;
  if ((outputs ?? evidence ?? content ?? digest) === undefined) return waiting === undefined ? {} : { waiting };
  const since = waiting !== undefined && waiting.digest === digest ? waiting.since : at;
  const { fingerprint } = event;
  const sent = fingerprint === undefined ? {} : { fingerprint };
  return { waiting: digest === undefined ? { since } : { since, digest, ...sent } };
}

/** So much is remembered of one attempt: nobody asks or answers more often, and a history that says so is not to be dragged along. */
const mostOfAttempt = 500;

/** A yes from elsewhere counts from now on, with those before it. */
export function approve(
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
  return { approvals: [...approvals, given].slice(-mostOfAttempt) };
}

/** What a person said no to, for whoever comes back to it. */
export function reject({ at, digest, reason, person }: Event & { type: "declined" }): Pick<StepState, "rejected"> {
  if (digest === undefined) return {};
  const by = person === undefined ? {} : { by: person.name };
  return { rejected: { at, digest, ...(reason === undefined ? {} : { reason }), ...by } };
}

/** A statement counts once, whatever became of it. */
export function usedNonces(
  { nonces = [] }: Pick<StepState, "nonces">,
  { signed }: Event & { type: "approved" | "declined" },
): Pick<StepState, "nonces"> {
  return signed === undefined ? {} : { nonces: [...nonces, signed.statement.nonce].slice(-mostOfAttempt) };
}

/** Whether something else is handed in than what a person said no to. */
export function isOther(
  { digest, outputs, evidence, content }: Event & { type: "handed_in" },
  rejected: Rejected,
): boolean {
  return digest === undefined ? (outputs ?? evidence ?? content) !== undefined : digest !== rejected.digest;
}

/** A person was asked about it, and nobody answered. */
export function askedInVain(
  { asked = [] }: Pick<StepState, "asked">,
  { digest, by }: Event & { type: "unanswered" },
): Pick<StepState, "asked"> {
  return digest === undefined ? {} : { asked: [...asked, { digest, by }].slice(-mostOfAttempt) };
}

/** Whether a record claims that a person's key proves it. */
export function isProven(event: Event): boolean {
  if (event.type === "completed") return event.word?.level === "proven";
  return (
    (event.type === "approved" || event.type === "declined") && (event.signed !== undefined || event.level === "proven")
  );
}
