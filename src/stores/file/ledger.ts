import { type Desk, emptyDesk } from "../../workflow/desk.ts";
import { type Chain, emptyChain, extend } from "../chain/chain.ts";
import type { JournalRecord, Line } from "../chain/record.ts";
import { type LogProjection, logProjection } from "../projections/activity-log.ts";
import { type StateProjection, stateProjection } from "../projections/workflow-state.ts";

/** What every journal adds up to, whatever else is made of it. */
export type Tally = { readonly chain: Chain; desk: Desk };

/** How the records of one kind of journal are added up. */
export type Bookkeeping<L extends Tally> = {
  empty(): L;
  /** Adds what is special to this kind; the chain has been brought up to the record. */
  add(ledger: L, record: JournalRecord): void;
};

/** What the records of a bot add up to, as far as they have been read. */
export type Ledger = Tally & {
  readonly state: StateProjection;
  readonly log: LogProjection;
  /** The state file that the last record answers, where it was not one of ours. */
  saw: string | undefined;
  /** The last record that was made while no state file stood there. */
  absentAt: number;
};

/** Begins with no record. */
export function emptyTally(): Tally {
  return { chain: emptyChain(), desk: emptyDesk };
}

/** How the records of a bot are added up: with what the two JSON files show. */
export function botBookkeeping(bot: string): Bookkeeping<Ledger> {
  return {
    empty: () => ({
      ...emptyTally(),
      state: stateProjection(bot),
      log: logProjection(bot),
      saw: undefined,
      absentAt: 0,
    }),
    add(ledger, { events, saw, seq }) {
      for (const event of events) {
        ledger.state.add(event);
        ledger.log.add(event);
      }
      ledger.saw = saw;
      if (saw === "absent") ledger.absentAt = seq;
    },
  };
}

/** Adds a line of the journal; `each` brings the desk up to every record that counts because of it. */
export function enter<L extends Tally>(
  kind: Bookkeeping<L>,
  ledger: L,
  line: { readonly bytes: Buffer; readonly offset: number; readonly written?: Line | undefined },
  each: (record: JournalRecord, hash: string) => void,
): void {
  for (const { record, hash } of extend(ledger.chain, line.bytes, line.offset, line.written)) {
    kind.add(ledger, record);
    each(record, hash);
  }
}
