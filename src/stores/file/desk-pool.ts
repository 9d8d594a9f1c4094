import type { DeskId } from "../../engine/ports.ts";
import { deskKey } from "../desk-key.ts";
import type { OpenDesk } from "./open-desk.ts";

/** The open desks of a project area: the files that a process holds do not grow with the number of runs. */
export type DeskPool = {
  /** Works at a desk, which stays open meanwhile. Where all that may be open are in use, one waits for another to be left. */
  at<T>(id: DeskId, work: (desk: OpenDesk) => Promise<T>): Promise<T>;
  /** Reads of a desk bit by bit. It waits for nobody: whoever reads several at once would wait for itself. */
  reading<T>(id: DeskId, read: (desk: OpenDesk) => AsyncIterable<T>): AsyncGenerator<T>;
  /** The desk, where it is open. */
  known(id: DeskId): OpenDesk | undefined;
  /** Closes all of them. */
  close(): void;
};

type Entry = { readonly desk: OpenDesk; users: number };

/** Opens a pool of at most so many desks; more only where all of them are read, or hold something that is still to be written. */
export function openDeskPool(open: (id: DeskId) => OpenDesk, most: number): DeskPool {
  /** The one that was used last is at the end. */
  const desks = new Map<string, Entry>();
  const waiting: (() => void)[] = [];

  function enter(id: DeskId): Entry {
    const key = deskKey(id);
    const entry = desks.get(key) ?? { desk: open(id), users: 0 };
    entry.users++;
    desks.delete(key);
    desks.set(key, entry);
    if (desks.size > most) closeOldest();
    return entry;
  }

  function leave(entry: Entry): void {
    entry.users--;
    if (entry.users === 0) waiting.shift()?.();
  }

  function inUse(): number {
    let count = 0;
    for (const { users } of desks.values()) if (users > 0) count++;
    return count;
  }

  /** Closes the desk that nobody has used for longest, where one holds nothing that is still to be written. */
  function closeOldest(): void {
    const oldest = [...desks].find(([, { desk, users }]) => users === 0 && !desk.owes());
    oldest?.[1].desk.close();
    if (oldest !== undefined) desks.delete(oldest[0]);
  }

  return {
    async at(id, work) {
      while (!desks.has(deskKey(id)) && inUse() >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      const entry = enter(id);
      try {
        return await work(entry.desk);
      } finally {
        leave(entry);
      }
    },
    async *reading(id, read) {
      const entry = enter(id);
      try {
        yield* read(entry.desk);
      } finally {
        leave(entry);
      }
    },
    known: (id) => desks.get(deskKey(id))?.desk,
    close() {
      for (const { desk } of desks.values()) desk.close();
      desks.clear();
    },
  };
}
