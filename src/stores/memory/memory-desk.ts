import { randomUUID } from "node:crypto";
import type { Appended, Appending, AuditedLog, DeskId, Snapshot, StoredRecord } from "../../engine/ports.ts";
import { emptyDesk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { emptyChain, extend } from "../chain/chain.ts";
import { toLine } from "../chain/record.ts";
import { verifyLines } from "../chain/verify-lines.ts";

/** One desk in memory: lines as a journal has them. */
export type MemoryDesk = {
  readonly id: DeskId;
  seen(): number;
  look(): Snapshot;
  append(seen: number, events: readonly Event[], how: Appending): Appended;
  records(from: number): readonly StoredRecord[];
  follow(changed: () => void): () => void;
  audit(): AuditedLog;
};

/** Begins a desk without a record. */
export function memoryDesk(id: DeskId): MemoryDesk {
  const chain = emptyChain();
  const stored: StoredRecord[] = [];
  const followers = new Set<() => void>();
  let desk = emptyDesk;

  /** What is kept is what its text says: nobody holds a thread to it. */
  function add(events: readonly Event[], saw: string | undefined): void {
    const answered = saw === undefined ? {} : { saw };
    const { text } = toLine({ seq: chain.seq + 1, prev: chain.head, op: randomUUID(), ...answered, events });
    for (const { record, hash } of extend(chain, Buffer.from(text))) {
      stored.push({ seq: record.seq, hash, text, events: record.events });
      desk = replay(record.events, desk);
    }
  }

  return {
    id,
    seen: () => chain.seq,
    look: () => ({ seen: chain.seq, head: chain.head, desk, warnings: [] }),
    append(expected, events, { answers }) {
      if (expected !== chain.seq) return { status: "behind", warnings: [] };
      if (events.length > 0) add(events, answers);
      if (events.length > 0) for (const changed of [...followers]) queueMicrotask(changed);
      return { status: "recorded", warnings: [] };
    },
    records: (from) => stored.slice(from),
    follow(changed) {
      const told = (): void => {
        if (followers.has(told)) changed();
      };
      followers.add(told);
      return () => void followers.delete(told);
    },
    audit() {
      const verified = verifyLines((line) => {
        let offset = 0;
        for (const { seq, text } of stored) {
          const bytes = Buffer.from(text);
          line(bytes, offset, seq);
          offset += bytes.length + 1;
        }
      });
      const gone = stored.length === 0 ? { missing: "its history is gone" } : {};
      return { ...verified, unfinished: 0, doubts: [], place: "memory", ...gone };
    },
  };
}
