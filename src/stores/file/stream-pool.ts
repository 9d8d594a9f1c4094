import type { StreamId } from "../../workflow/stream-id.ts";
import { streamKey } from "../stream-key.ts";
import type { FileStream } from "./file-stream.ts";

/** The open streams of a project area, so that open files do not grow with the number of runs. */
export type StreamPool = {
  /** Works on a stream, which stays open meanwhile; waits if all slots are in use. */
  at<T>(id: StreamId, work: (stream: FileStream) => Promise<T>): Promise<T>;
  /** Reads from a stream in parts without waiting for a slot, since a caller reading several would deadlock. */
  reading<T>(id: StreamId, read: (stream: FileStream) => AsyncIterable<T>): AsyncGenerator<T>;
  /** The stream if it is open. */
  known(id: StreamId): FileStream | undefined;
  /** Closes a stream whose files are about to go. */
  drop(id: StreamId): void;
  /** Closes all streams. */
  close(): void;
};

type Entry = { readonly stream: FileStream; users: number };

/** Opens a pool of at most `most` streams; more only if all are being read or hold unwritten records. */
export function openStreamPool(open: (id: StreamId) => FileStream, most: number): StreamPool {
  /** Ordered by last use. */
  const streams = new Map<string, Entry>();
  const waiting: (() => void)[] = [];

  function enter(id: StreamId): Entry {
    const key = streamKey(id);
    const entry = streams.get(key) ?? { stream: open(id), users: 0 };
    entry.users++;
    streams.delete(key);
    streams.set(key, entry);
    if (streams.size > most) closeOldest();
    return entry;
  }

  function leave(entry: Entry): void {
    entry.users--;
    if (entry.users === 0) waiting.shift()?.();
  }

  function inUse(): number {
    let count = 0;
    for (const { users } of streams.values()) if (users > 0) count++;
    return count;
  }

  /** Closes the least recently used stream that holds nothing unwritten. */
  function closeOldest(): void {
    const oldest = [...streams].find(([, { stream, users }]) => users === 0 && !stream.isPublicationDue());
    oldest?.[1].stream.close();
    if (oldest !== undefined) streams.delete(oldest[0]);
  }

  return {
    async at(id, work) {
      while (!streams.has(streamKey(id)) && inUse() >= most)
        await new Promise<void>((resolve) => waiting.push(resolve));
      const entry = enter(id);
      try {
        return await work(entry.stream);
      } finally {
        leave(entry);
      }
    },
    async *reading(id, read) {
      const entry = enter(id);
      try {
        yield* read(entry.stream);
      } finally {
        leave(entry);
      }
    },
    known: (id) => streams.get(streamKey(id))?.stream,
    drop(id) {
      streams.get(streamKey(id))?.stream.close();
      streams.delete(streamKey(id));
    },
    close() {
      for (const { stream } of streams.values()) stream.close();
      streams.clear();
    },
  };
}
