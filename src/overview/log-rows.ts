import { changeFinder } from "../audit/changes.ts";
import { type Claim, claimFinder } from "../audit/claims.ts";
import type { DeskId } from "../engine/ports.ts";
import type { Event } from "../workflow/events.ts";
import { type LogRow, logRows } from "./log-row.ts";
import { sameGapsFinder } from "./same-gaps.ts";

/** What is to be said of an event besides that it happened. */
export type Beside = {
  readonly mark?: string | undefined;
  readonly changes?: readonly string[];
  readonly claims?: readonly Claim[];
  /** The same was wanting as at the hand-in before. */
  readonly isSame?: boolean;
  /** Which record of its history it stands in. */
  readonly record?: { readonly number: number; readonly hash: string } | undefined;
};

/** Finds what the events before it say of an event: fed with those of one history in order. */
export function besideFinder(): (event: Event) => Beside {
  const [changesAt, claimsAt, isSameAt] = [changeFinder(), claimFinder(), sameGapsFinder()];
  return (event) => ({ changes: changesAt(event), claims: claimsAt(event), isSame: isSameAt(event) });
}

/** An event of a desk in rows of the log, with everything that is to be said of it. */
export function rowsOf({ kind, name, run }: DeskId, event: Event, beside: Beside): readonly LogRow[] {
  const { mark, changes = [], claims = [], isSame, record } = beside;
  const more = {
    ...record,
    ...(isSame ? { same_gaps: true } : {}),
    ...(mark === undefined ? {} : { mark }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(claims.length === 0 ? {} : { claims }),
    ...(kind === "session" ? { session: name } : {}),
    ...(run === undefined ? {} : { run }),
  };
  return logRows(name, event).map((row) => ({ ...row, ...more }));
}
