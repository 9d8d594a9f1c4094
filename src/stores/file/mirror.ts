import type { DeskId, EventLog } from "../../engine/ports.ts";
import { replayer } from "../../workflow/replay.ts";
import { type Bookkeeping, enter, type Tally } from "./ledger.ts";
import type { Recorded } from "./records.ts";

/** The records of a desk that are kept elsewhere, as what shows them here needs them. */
export type Mirror<L extends Tally> = {
  /** Does something with the records as they are now. It is done again where it wanted to know more than was at hand: nothing may happen before it asks. */
  at<T>(work: (records: Recorded<L>) => T): Promise<T>;
};

/** Opens a mirror of one desk. What shows a desk asks its records without waiting, and these have to be fetched: what is missing is fetched, and the work is done anew. */
export function openMirror<L extends Tally>(log: EventLog, id: DeskId, kind: Bookkeeping<L>): Mirror<L> {
  let ledger = kind.empty();
  /** Every line, while somebody wants them all. */
  let lines: readonly Buffer[] | undefined;
  /** Whether somebody has looked since the work began. */
  let isCertain = false;

  /** Adds lines to a ledger, one after the other. */
  const adderTo = (into: L, each?: (ledger: L) => void): ((bytes: Buffer) => void) => {
    const add = replayer(into.desk);
    return (bytes) =>
      enter(kind, into, { bytes, offset: 0 }, ({ events }) => {
        into.desk = add(events);
        each?.(into);
      });
  };

  async function addFrom(seq: number): Promise<void> {
    const add = adderTo(ledger);
    for await (const { text } of log.records(id, seq)) add(Buffer.from(text));
  }

  async function fetch(): Promise<void> {
    const { seen, head } = await log.look(id);
    if (ledger.chain.head === head) return;
    if (ledger.chain.seq >= seen) ledger = kind.empty(); // another history stands there
    await addFrom(ledger.chain.seq);
    if (ledger.chain.seq >= seen) return;
    ledger = kind.empty(); // what was known of it is no part of it
    await addFrom(0);
  }

  async function fetchAll(): Promise<readonly Buffer[]> {
    const all: Buffer[] = [];
    for await (const { text } of log.records(id)) all.push(Buffer.from(text));
    return all;
  }

  const records: Recorded<L> = {
    ledger: () => ledger,
    seen: () => ledger.chain.seq,
    heldSaw: () => undefined,
    catchUp() {
      if (!isCertain) throw new Wanting("news");
    },
    recount(each) {
      if (lines === undefined) throw new Wanting("all");
      lines.forEach(adderTo(kind.empty(), each));
    },
    otherSides: { recount: () => {} },
  };

  async function carryOut<T>(work: (records: Recorded<L>) => T): Promise<T> {
    isCertain = false;
    lines = undefined;
    await fetch();
    for (;;) {
      const { head } = ledger.chain;
      try {
        return work(records);
      } catch (error) {
        if (!(error instanceof Wanting)) throw error;
        if (error.what === "all") lines = await fetchAll();
        await fetch();
        isCertain = ledger.chain.head === head;
        if (!isCertain) lines = undefined;
      }
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    at(work) {
      const result = last.then(() => carryOut(work));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** Something was asked for that has to be fetched first. */
class Wanting extends Error {
  readonly what: "news" | "all";

  constructor(what: "news" | "all") {
    super(`Wanting ${what}.`);
    this.what = what;
  }
}
