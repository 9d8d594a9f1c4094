import type { CheckResult } from "../../gates/check.ts";
import type { Gap } from "../../gates/gate.ts";
import { defined } from "../../kit/defined.ts";
import type { Event, Submission, Violation } from "../../workflow/events.ts";
import { isGateRefusal, missingIn, withResult } from "../../workflow/replay-refusal.ts";
import { mergeSubmissions } from "../../workflow/stream-snapshot.ts";

/** One submission for a step, and its outcome. */
export type WalkedSubmission = Pick<Submission, "outputs" | "evidence" | "content"> & {
  /** Its number within the attempt. */
  readonly number: number;
  readonly at: string;
  /** The program it came through. */
  readonly client?: string;
  /** `replaced`: something else was submitted while it was waiting. */
  readonly outcome: "checking" | "waits" | "refused" | "declined" | "replaced" | "completed";
  /** The time of that outcome. */
  readonly endedAt?: string;
  /** For a refusal: its code, and what was missing. */
  readonly code?: string;
  readonly missing?: readonly Gap[];
  readonly lacked?: readonly string[];
  readonly violations?: readonly Violation[];
  /** The same was missing as in the submission before. */
  readonly sameGaps?: true;
  /** The reason for a rejection. */
  readonly reason?: string;
  /** The check results by then, the newest of each. */
  readonly checks?: readonly CheckResult[];
  readonly digest?: string;
  readonly judgedBy?: string;
};

/** A wait for a person; open if it has not ended. */
export type Wait = { readonly from: string; readonly to?: string };

/** The submissions of an attempt, as they add up. */
export type SubmissionsSoFar = {
  readonly handIns: WalkedSubmission[];
  readonly waits: Wait[];
  /** The submission so far, and the check results. */
  readonly current: { submitted: Submission; checks: readonly CheckResult[] };
};

/** An event about a submission. */
export type SubmissionEvent = Event & { type: "handed_in" | "checked" | "refused" | "declined" | "completed" };

/** Adds an event about a submission. */
export function applySubmissionEvent(attempt: SubmissionsSoFar, event: SubmissionEvent): void {
  const { current, handIns: submissions, waits } = attempt;
  switch (event.type) {
    case "checked": {
      current.checks = withResult(current.checks, event.result);
      const last = submissions.at(-1);
      if (last?.outcome === "checking" || last?.outcome === "waits")
        submissions[submissions.length - 1] = { ...last, checks: current.checks };
      return;
    }
    case "handed_in": {
      current.submitted = mergeSubmissions(current.submitted, event);
      const { digest } = event;
      const before = submissions.at(-1);
      if (before?.outcome === "waits" && before.digest === digest) return;
      setOutcome(attempt, event, digest === undefined ? "checking" : "waits", digest === undefined ? {} : { digest });
      if (digest === undefined) return;
      endWait(waits, event.at);
      waits.push({ from: event.at });
      return;
    }
    case "refused": {
      if (!isGateRefusal(event.code)) return;
      const failed = current.checks.filter(({ status }) => status === "failed");
      const lacked = missingIn(event, failed);
      const before = submissions.findLast(({ outcome }) => outcome !== "checking");
      const isSame = before?.outcome === "refused" && lacked.length > 0 && String(lacked) === String(before.lacked);
      const { code, missing, violations, evidence } = event;
      endWait(waits, event.at);
      setOutcome(attempt, event, "refused", {
        code,
        lacked,
        ...defined({ evidence, missing, violations }),
        ...(isSame ? { sameGaps: true } : {}),
      });
      current.checks = current.checks.filter(({ status }) => status === "passed");
      return;
    }
    case "declined":
      endWait(waits, event.at);
      setOutcome(attempt, event, "declined", event.reason === undefined ? {} : { reason: event.reason });
      return;
    case "completed":
      current.submitted = mergeSubmissions(current.submitted, withoutCheckFacts(event, current.checks));
      endWait(waits, event.at);
      setOutcome(attempt, event, "completed", event.digest === undefined ? {} : { digest: event.digest });
  }
}

/** Ends the current wait for a person. */
export function endWait(waits: Wait[], at: string): void {
  const last = waits.at(-1);
  if (last !== undefined && last.to === undefined) waits[waits.length - 1] = { ...last, to: at };
}

/** The submission of a completion: its evidence without what checks found, except for claims. */
function withoutCheckFacts(event: SubmissionEvent & { type: "completed" }, checks: readonly CheckResult[]): Submission {
  const { evidence, claimed = [] } = event;
  if (evidence === undefined) return event;
  const found = new Set(checks.flatMap(({ found: own = {} }) => Object.keys(own)));
  const kept = Object.entries(evidence).filter(([field]) => !found.has(field) || claimed.includes(field));
  return { ...event, evidence: Object.fromEntries(kept) };
}

/** Sets the outcome of the unsettled submission, or of a new one. */
function setOutcome(
  attempt: SubmissionsSoFar,
  event: SubmissionEvent,
  outcome: WalkedSubmission["outcome"],
  more: Partial<WalkedSubmission>,
): void {
  const { current, handIns: submissions } = attempt;
  const { outputs, evidence, content } = current.submitted;
  const last = submissions.at(-1);
  const isOpen = last?.outcome === "checking" || last?.outcome === "waits";
  const isSameOne = isOpen && isSameSubmission(last, outcome, more);
  if (isSameOne) submissions.pop();
  else if (isOpen) submissions[submissions.length - 1] = { ...last, outcome: "replaced", endedAt: event.at };
  const isEnd = outcome !== "checking" && outcome !== "waits";
  const first = isSameOne ? last : undefined;
  const client = first?.client ?? event.client;
  const judged = "judgedBy" in event ? event.judgedBy : undefined;
  const judgedBy = judged ?? first?.judgedBy;
  submissions.push({
    ...{ number: submissions.length + 1, at: first?.at ?? event.at, outcome },
    ...defined({ client, outputs, evidence, content }),
    ...(current.checks.length === 0 ? {} : { checks: current.checks }),
    ...defined({ judgedBy }),
    ...(first?.digest === undefined ? {} : { digest: first.digest }),
    ...(isEnd ? { endedAt: event.at } : {}),
    ...more,
  });
}

/** Tells if an outcome belongs to the unsettled submission; a different digest means another one. */
function isSameSubmission(
  last: WalkedSubmission,
  outcome: WalkedSubmission["outcome"],
  { digest }: Partial<WalkedSubmission>,
): boolean {
  if (last.outcome === "checking") return true;
  if (outcome === "declined") return true;
  return outcome === "completed" && (digest === undefined || last.digest === undefined || digest === last.digest);
}
