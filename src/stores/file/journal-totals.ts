import { emptyStream, type StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { type Chain, emptyChain, extend } from "../chain/journal-chain.ts";
import type { JournalLine, JournalRecord } from "../chain/journal-record.ts";
import { type LogProjection, logProjection } from "../projections/activity-log.ts";
import { type StateProjection, stateProjection } from "../projections/workflow-state.ts";

/** The totals common to every journal. */
export type JournalTotals = { readonly chain: Chain; stream: StreamSnapshot };

/** Adds up the records of one kind of journal. */
export type TotalsReducer<L extends JournalTotals> = {
  empty(): L;
  /** Adds what is special to this kind, after the chain. */
  add(ledger: L, record: JournalRecord): void;
};

/** The totals of a bot's records, as far as read. */
export type BotTotals = JournalTotals & {
  readonly state: StateProjection;
  readonly log: LogProjection;
  /** The foreign state file that the last record answers. */
  saw: string | undefined;
  /** The last record made while no state file existed. */
  absentAt: number;
};

/** Totals without a record. */
export function emptyTotals(): JournalTotals {
  return { chain: emptyChain(), stream: emptyStream };
}

/** Adds up a bot's records, with its two JSON files. */
export function botReducer(bot: string): TotalsReducer<BotTotals> {
  return {
    empty: () => ({
      ...emptyTotals(),
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

/** Adds a line of the journal; calls `each` for every record that now counts. */
export function addLine<L extends JournalTotals>(
  kind: TotalsReducer<L>,
  ledger: L,
  line: { readonly bytes: Buffer; readonly offset: number; readonly written?: JournalLine | undefined },
  each: (record: JournalRecord, hash: string) => void,
): void {
  for (const { record, hash } of extend(ledger.chain, line.bytes, line.offset, line.written)) {
    kind.add(ledger, record);
    each(record, hash);
  }
}
