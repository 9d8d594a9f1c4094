import { randomUUID } from "node:crypto";
import type {
  AppendOptions,
  AppendResult,
  AuditedLog,
  LoadedStream,
  StoredRecord,
} from "../../engine/ports/event-log.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { emptyChain, extend } from "../chain/journal-chain.ts";
import { timeOfWrite, toLine } from "../chain/journal-record.ts";
import { verifyLines } from "../chain/verify-lines.ts";

/** One stream in memory, as lines of a journal. */
export type MemoryStream = {
  readonly id: StreamId;
  seen(): number;
  look(): LoadedStream;
  append(seen: number, events: readonly Event[], how: AppendOptions): AppendResult;
  records(from: number): readonly StoredRecord[];
  follow(changed: () => void): () => void;
  audit(): AuditedLog;
};

/** Makes a stream without records. */
export function memoryStream(id: StreamId): MemoryStream {
  const chain = emptyChain();
  const stored: StoredRecord[] = [];
  const followers = new Set<() => void>();
  let stream = emptyStream;

  /** Stores the parsed text, so that no caller shares its objects. */
  function add(events: readonly Event[], saw: string | undefined): void {
    const answered = saw === undefined ? {} : { saw };
    const { text } = toLine({
      seq: chain.seq + 1,
      prev: chain.head,
      op: randomUUID(),
      ...answered,
      ...timeOfWrite(events),
      events,
    });
    for (const { record, hash } of extend(chain, Buffer.from(text))) {
      stored.push({ seq: record.seq, hash, text, events: record.events });
      stream = replay(record.events, stream);
    }
  }

  return {
    id,
    seen: () => chain.seq,
    look: () => ({ seen: chain.seq, head: chain.head, stream, warnings: [] }),
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
