import type { DeskId } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { JournalRecord } from "../chain/record.ts";
import type { Believes } from "../chain/verify-lines.ts";
import { nameOf } from "../desk-key.ts";
import { type Bookkeeping, emptyTally, type Tally } from "./ledger.ts";

/** What the records of a session add up to. `begunAs`: the other whose history it is, where one was put here; `isAccepted`: a record says that a person has accepted that. */
export type SessionTally = Tally & { begunAs: string | undefined; isAccepted: boolean };

/** How the records of a session are added up: with whose history they are. */
export function sessionBookkeeping(id: DeskId): Bookkeeping<SessionTally> {
  return {
    empty: () => ({ ...emptyTally(), begunAs: undefined, isAccepted: false }),
    add(ledger, record) {
      if (record.seq === 1) ledger.begunAs = anotherThan(id, record);
      for (const event of ledger.begunAs === undefined ? [] : record.events)
        if (event.type === "accepted" && event.hashes.includes(putHere(ledger.chain.first, id)))
          ledger.isAccepted = true;
    },
  };
}

/** As whose a session's history was begun that was put here and counts for nothing: one that a person is known to have accepted counts. */
export function putHereBy(
  { begunAs, isAccepted, chain }: SessionTally,
  id: DeskId,
  believes: Believes,
): string | undefined {
  return isAccepted && believes(putHere(chain.first, id)) ? undefined : begunAs;
}

/** Whose history a first record begins, where that is another's; undefined also where it does not say. */
export function anotherThan(id: DeskId, { of }: JournalRecord): string | undefined {
  return of === nameOf(id) ? undefined : of;
}

/** Names that a history which begins with this record stands at a desk: a person may accept just that. */
export function putHere(first: string | null, id: DeskId): string {
  return sha256(`${first} as ${nameOf(id)}`);
}
