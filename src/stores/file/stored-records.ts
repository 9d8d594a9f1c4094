import type { StoredRecord } from "../../engine/ports/event-log.ts";
import { type Chain, emptyChain, extend } from "../chain/journal-chain.ts";
import type { JournalLine } from "../chain/journal-record.ts";
import type { Journal, Reading } from "./journal.ts";

/** Reads the records of a journal after `from` in parts; held ones follow. */
export type ReadStoredRecords = (from: number, held: readonly JournalLine[]) => AsyncIterable<StoredRecord>;

/** A reader's position, and the waiting lines by offset. */
type Cursor = { readonly source: object; readonly chain: Chain; offset: number; readonly late: Map<number, string> };

/** Opens a journal's records to readers; a returning reader continues where the last one ended. */
export function openStoredRecords(journal: Journal): ReadStoredRecords {
  let ended: Cursor | undefined;

  function begin({ source }: Reading, from: number): Cursor {
    const known = ended;
    ended = undefined;
    if (known?.source === source && known.chain.seq <= from) return known;
    return { source, chain: emptyChain(), offset: 0, late: new Map() };
  }

  return async function* (from, held) {
    const reading = journal.reading();
    const cursor = reading && begin(reading, from);
    while (reading !== undefined && cursor !== undefined && cursor.offset < reading.end) {
      const batch = readBatch(reading, cursor, from);
      if (batch === undefined) return; // the file was replaced: the next read says so
      yield* batch;
    }
    ended = cursor;
    for (const { record, hash, text } of held)
      if (record.seq > from) yield { seq: record.seq, hash, text, events: record.events };
  };
}

function readBatch(reading: Reading, cursor: Cursor, from: number): readonly StoredRecord[] | undefined {
  const batch: StoredRecord[] = [];
  for (let size = atOnce; ; size *= 2) {
    const to = Math.min(reading.end, cursor.offset + size);
    const next = reading.read(cursor.offset, to, (bytes, offset) => add(cursor, bytes, offset, from, batch));
    if (next === undefined || (next === cursor.offset && to === reading.end)) return undefined;
    if (next === cursor.offset) continue; // one line longer than that
    cursor.offset = next;
    return batch;
  }
}

function add({ chain, late }: Cursor, bytes: Buffer, offset: number, from: number, batch: StoredRecord[]): void {
  const waiting = chain.waiting.size;
  for (const { record, hash, offset: begins } of extend(chain, bytes, offset)) {
    const { seq, events } = record;
    if (seq > from) batch.push({ seq, hash, text: late.get(begins) ?? bytes.toString("utf8"), events });
    late.delete(begins);
  }
  if (chain.waiting.size > waiting) late.set(offset, bytes.toString("utf8"));
}

/** Bytes read between two pauses. */
const atOnce = 1 << 18;
