import { beginning, type JournalRecord, readLine, sha256 } from "./record.ts";

/** The lines of a journal that count, as far as they have been read. */
export type Chain = {
  seq: number;
  /** The hash of the last line that counts. */
  head: string;
  /** The hash of the first line that counts: names the journal. */
  first: string | null;
  readonly ops: Set<string>;
  /** Lines that follow one not read yet, by the hash of that one. */
  readonly waiting: Map<string, Link>;
};

type Link = { readonly record: JournalRecord; readonly hash: string };

/** Begins a chain. */
export function emptyChain(): Chain {
  return { seq: 0, head: beginning, first: null, ops: new Set(), waiting: new Map() };
}

/** Reads the next line of a journal: the records that count because of it, in order. The first line to extend the head wins; any other changes nothing. */
export function extend(chain: Chain, bytes: Buffer): readonly JournalRecord[] {
  const record = readLine(bytes);
  if (record === undefined || record.seq <= chain.seq) return [];
  if (record.seq > chain.seq + 1) {
    // Its predecessor may stand further on: written once more after the disk lost the first copy.
    if (!chain.waiting.has(record.prev)) chain.waiting.set(record.prev, { record, hash: sha256(bytes) });
    return [];
  }
  if (record.prev !== chain.head) return [];
  const counted: JournalRecord[] = [];
  let next: Link | undefined = { record, hash: sha256(bytes) };
  while (next !== undefined && next.record.seq === chain.seq + 1 && !chain.ops.has(next.record.op)) {
    chain.seq += 1;
    chain.head = next.hash;
    chain.first ??= next.hash;
    chain.ops.add(next.record.op);
    counted.push(next.record);
    next = chain.waiting.get(chain.head);
  }
  return counted;
}
