import { type Desk, emptyDesk, replay } from "../../workflow/desk.ts";
import { type LogProjection, logProjection } from "../projections/activity-log.ts";
import { type StateProjection, stateProjection } from "../projections/workflow-state.ts";
import { type Chain, emptyChain, extend } from "./chain.ts";

/** What the lines of a journal add up to, as far as they have been read. */
export type Ledger = {
  readonly chain: Chain;
  desk: Desk;
  readonly state: StateProjection;
  readonly log: LogProjection;
  /** The state file that the last record answers, where it was not one of ours. */
  saw: string | undefined;
  /** The last record that was made while no state file stood there. */
  absentAt: number;
};

/** Begins a ledger. */
export function emptyLedger(bot: string): Ledger {
  return {
    chain: emptyChain(),
    desk: emptyDesk,
    state: stateProjection(bot),
    log: logProjection(bot),
    saw: undefined,
    absentAt: 0,
  };
}

/** Adds a line of the journal; `each` sees the ledger after every record that counts because of it. */
export function enter(ledger: Ledger, bytes: Buffer, each?: () => void): void {
  for (const record of extend(ledger.chain, bytes)) {
    for (const event of record.events) {
      ledger.state.add(event);
      ledger.log.add(event);
    }
    ledger.desk = replay(record.events, ledger.desk);
    ledger.saw = record.saw;
    if (record.saw === "absent") ledger.absentAt = record.seq;
    each?.();
  }
}
