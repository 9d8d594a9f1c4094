import { changeFinder } from "../../audit/changes.ts";
import { type Claim, claimFinder } from "../../audit/claims-and-facts.ts";
import { defined } from "../../kit/defined.ts";
import { streamFields } from "../../messages/stream-words.ts";
import type { Event } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { type LogRow, logRows } from "./log-row.ts";
import { sameGapsFinder } from "./same-gaps.ts";

/** The details of an event besides the event itself. */
export type RowDetails = {
  readonly mark?: string | undefined;
  readonly changes?: readonly string[];
  readonly claims?: readonly Claim[];
  /** The same was missing as in the submission before. */
  readonly isSame?: boolean;
  /** The record that contains it. */
  readonly record?: { readonly number: number; readonly hash: string } | undefined;
};

/** Finds the details of each event; fed with one history in order. */
export function rowDetailsFinder(): (event: Event) => RowDetails {
  const [changesAt, claimsAt, isSameAt] = [changeFinder(), claimFinder(), sameGapsFinder()];
  return (event) => ({ changes: changesAt(event), claims: claimsAt(event), isSame: isSameAt(event) });
}

/** Renders an event of a stream as log rows, with its details. */
export function detailedRows(id: StreamId, event: Event, beside: RowDetails): readonly LogRow[] {
  const { mark, changes = [], claims = [], isSame, record } = beside;
  const more = {
    ...record,
    ...(isSame ? { same_gaps: true } : {}),
    ...defined({ mark }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(claims.length === 0 ? {} : { claims }),
    ...streamFields(id),
  };
  return logRows(id.name, event).map((row) => ({ ...row, ...more }));
}
