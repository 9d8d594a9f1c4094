import type { EventLog } from "../../engine/ports/event-log.ts";
import { replayer } from "../../workflow/replay.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { addLine, type JournalTotals, type TotalsReducer } from "./journal-totals.ts";
import type { ViewRecords } from "./records.ts";

/** A local copy of a stream's records that are stored elsewhere, for its views. */
export type RecordsMirror<L extends JournalTotals> = {
  /** Runs work with the current records; runs it again if it needed more, so it must have no effects before it asks. */
  at<T>(work: (records: ViewRecords<L>) => T): Promise<T>;
};

/** Opens a mirror of one stream: views read records synchronously, so missing ones are fetched and the work is repeated. */
export function openRecordsMirror<L extends JournalTotals>(
  log: EventLog,
  id: StreamId,
  kind: TotalsReducer<L>,
): RecordsMirror<L> {
  let ledger = kind.empty();
  /** Every line, while all are needed. */
  let lines: readonly Buffer[] | undefined;
  /** Tells if the records were fetched since the work began. */
  let isCertain = false;

  /** Adds lines to a ledger one by one. */
  const adderTo = (into: L, each?: (ledger: L) => void): ((bytes: Buffer) => void) => {
    const add = replayer(into.stream);
    return (bytes) =>
      addLine(kind, into, { bytes, offset: 0 }, ({ events }) => {
        into.stream = add(events);
        each?.(into);
      });
  };

  async function addFrom(seq: number): Promise<void> {
    const add = adderTo(ledger);
    for await (const { text } of log.records(id, seq)) add(Buffer.from(text));
  }

  async function fetch(): Promise<void> {
    const { seen, head } = await log.load(id);
    if (ledger.chain.head === head) return;
    if (ledger.chain.seq >= seen) ledger = kind.empty(); // another history is there
    await addFrom(ledger.chain.seq);
    if (ledger.chain.seq >= seen) return;
    ledger = kind.empty(); // what was known is not part of it
    await addFrom(0);
  }

  async function fetchAll(): Promise<readonly Buffer[]> {
    const all: Buffer[] = [];
    for await (const { text } of log.records(id)) all.push(Buffer.from(text));
    return all;
  }

  const records: ViewRecords<L> = {
    ledger: () => ledger,
    seen: () => ledger.chain.seq,
    heldAnswer: () => undefined,
    catchUp() {
      if (!isCertain) throw new FetchNeeded("news");
    },
    recount(each) {
      if (lines === undefined) throw new FetchNeeded("all");
      lines.forEach(adderTo(kind.empty(), each));
    },
    otherSides: { recount: () => {} },
  };

  async function carryOut<T>(work: (records: ViewRecords<L>) => T): Promise<T> {
    isCertain = false;
    lines = undefined;
    await fetch();
    for (;;) {
      const { head } = ledger.chain;
      try {
        return work(records);
      } catch (error) {
        if (!(error instanceof FetchNeeded)) throw error;
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

/** Thrown when something must be fetched first. */
class FetchNeeded extends Error {
  readonly what: "news" | "all";

  constructor(what: "news" | "all") {
    super(`Wanting ${what}.`);
    this.what = what;
  }
}
