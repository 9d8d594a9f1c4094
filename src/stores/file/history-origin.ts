import { sha256 } from "../../kit/sha256.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import type { JournalRecord } from "../chain/journal-record.ts";
import type { Trusts } from "../chain/verify-lines.ts";
import { emptyTotals, type JournalTotals, type TotalsReducer } from "./journal-totals.ts";

/** The totals of a session. `begunAs` names the stream whose history was copied here; `isAccepted` if a record accepts that. */
export type SessionTotals = JournalTotals & { begunAs: string | undefined; isAccepted: boolean };

/** Adds up a session's records, including whose history they are. */
export function sessionReducer(id: StreamId): TotalsReducer<SessionTotals> {
  return {
    empty: () => ({ ...emptyTotals(), begunAs: undefined, isAccepted: false }),
    add(ledger, record) {
      if (record.seq === 1) ledger.begunAs = originOf(id, record);
      for (const event of ledger.begunAs === undefined ? [] : record.events)
        if (event.type === "accepted" && event.hashes.includes(copyName(ledger.chain.first, id)))
          ledger.isAccepted = true;
    },
  };
}

/** The origin of a session's history that was copied here and does not count, unless a person is known to have accepted it. */
export function copiedFrom(
  { begunAs, isAccepted, chain }: SessionTotals,
  id: StreamId,
  trusts: Trusts,
): string | undefined {
  return isAccepted && trusts(copyName(chain.first, id)) ? undefined : begunAs;
}

/** The other stream whose history a first record begins; undefined also if it does not say. */
export function originOf(id: StreamId, { of }: JournalRecord): string | undefined {
  return of === streamName(id) ? undefined : of;
}

/** Names the fact that this history is at this stream, which a person may accept. */
export function copyName(first: string | null, id: StreamId): string {
  return sha256(`${first} as ${streamName(id)}`);
}
