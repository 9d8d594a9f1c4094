import type { CheckStatus } from "../gates/check.ts";
import { digestOf } from "../kit/json.ts";
import type { Event, JudgedBy, Stamp, StepRef, Submission } from "./events.ts";
import { mergeSubmissions, type StepState } from "./stream-snapshot.ts";

/** The open attempt that events are recorded for. */
type RecordedAttempt = { readonly state: StepState; readonly stamp: Stamp; readonly ref: StepRef };

/** The check results that are not recorded yet. */
export function newCheckEvents({ state, stamp, ref }: RecordedAttempt, checks: readonly CheckStatus[] = []): Event[] {
  // a command's result is recorded already, even if another caller was the one notified of its failure
  const reported = (state.failedChecks ?? []).filter(({ seal }) => seal !== undefined);
  const known = new Set([...(state.checks ?? []), ...reported].map((one) => digestOf(one)));
  const results = checks.flatMap((one) => (one.status === "passed" || one.status === "failed" ? [one] : []));
  return results
    .filter((result) => !known.has(digestOf(result)))
    .map((result) => ({ type: "checked", ...stamp, ...ref, result }));
}

/** Records a submission unless it is recorded already: a client that asks the person sends everything again. */
export function submissionEvents(
  { state, stamp, ref }: RecordedAttempt,
  given: Submission,
  judged: JudgedBy = {},
  submission?: string,
): Event[] {
  const isNew =
    JSON.stringify(mergeSubmissions(state.submitted, given)) !== JSON.stringify(mergeSubmissions({}, state.submitted));
  const isSame = !isNew && state.waiting?.digest === judged.digest;
  const fingerprint = submission === undefined ? {} : { fingerprint: submission };
  return isSame ? [] : [{ type: "handed_in", ...stamp, ...ref, ...given, ...judged, ...fingerprint }];
}
