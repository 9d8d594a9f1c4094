import { fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { Chain } from "../chain/chain.ts";
import { type Head, isSameHead, type Seen } from "./belief/seen.ts";
import { unlessFault } from "./faults.ts";
import { keepBytesAside } from "./kept.ts";

/** A history that no longer holds what was seen of it: what is to be said of that. */
export type Lost = {
  readonly text: string;
  /** A record that was seen is not what it was, and all before it are. */
  readonly changed?: true;
  /** What is to be said instead where git has the history as it stands: this one ends where it was seen to end before. */
  readonly branch?: string;
};

/** Notices that a journal no longer holds what was read from it, by this process or any other on this machine: an older copy was put in its place, or it was cut, changed or removed. */
export type Rollback = {
  /** The journal is read anew; what it said before is kept, where it can still be read. */
  begin(known: Chain, before: { readonly fd: number; readonly size: number } | undefined): void;
  /** The chain has come to a record. */
  reach(record: Head): void;
  /** Whether the chain may go on from a sum that was saved: false where what was seen lies before it, and has to be looked for. */
  resume(end: Head): boolean;
  /** What was lost, once all of the journal has been read; asked again, what was found since. */
  look(chain: Chain): Lost | undefined;
};

type Known = Head & { readonly isKept: boolean };

/** Watches one journal, which is the history of a name. */
export function openRollback(file: string, name: string, kept: string, seen: Seen | undefined): Rollback {
  const last = seen?.last();
  let known: Known | undefined = last === undefined || last.seq === 0 ? undefined : { ...last, isKept: false };
  /** The last record that was seen before and still stands there. */
  let shared = 0;
  let isEndSeen = true;

  function keep(before: { readonly fd: number; readonly size: number }): boolean {
    const isKept = unlessFault(() => {
      if (fstatSync(before.fd).size < before.size) return false; // cut where it stands: the bytes are gone
      const bytes = Buffer.alloc(before.size);
      readSync(before.fd, bytes, 0, before.size, 0);
      keepBytesAside(bytes, file, kept, new Date());
      return true;
    });
    return isKept === true;
  }

  function reach(record: Head): void {
    if (known !== undefined && isSameHead(known, record)) known = undefined;
    isEndSeen = seen?.note(record) === true;
    if (isEndSeen) shared = record.seq;
  }

  return {
    begin({ seq, head }, before) {
      [shared, isEndSeen] = [0, true];
      seen?.learn();
      if (seq === 0 || (known !== undefined && known.seq > seq)) return;
      known = { seq, head, isKept: before !== undefined && keep(before) };
    },
    reach,
    resume(end) {
      if (known !== undefined && known.seq <= end.seq && !isSameHead(known, end)) return false;
      reach(end);
      return true;
    },
    look(chain) {
      if (known === undefined) return undefined;
      const lost = known;
      known = undefined;
      if (standsBeside(chain, lost)) return undefined; // merged with another side that counts now: nothing is gone
      const changed = shared > 0 && shared === lost.seq - 1 && chain.seq >= lost.seq;
      const branch =
        chain.seq === 0
          ? `The history of ${name} is not here: git keeps it on another branch.`
          : `The history of ${name} ends where it was seen to end before: at record ${chain.seq}, on another git branch.`;
      const more = { ...(isEndSeen ? { branch } : {}), ...(changed ? { changed } : {}) };
      return { text: wordsFor(lost, chain, changed), ...more };
    },
  };

  function wordsFor({ seq, isKept }: Known, chain: Chain, changed: boolean): string {
    const copy = isKept ? " What stood there before is kept under .waymark/kept/." : "";
    if (chain.seq === 0)
      return `The history of ${name} that was on record here, of ${seq} record(s), is gone (.waymark/journal).${copy}`;
    if (changed)
      return `The history was changed: record ${seq} of ${basename(file)} is not the one that was seen here.${copy}`;
    if (shared === 0 && seen !== undefined)
      return `The history of ${name} that was on record here, of ${seq} record(s), is gone, and another stands in its place (.waymark/journal).${copy}`;
    return `The history has gone back: ${basename(file)} had ${seq} record(s), and not all of them are there any more.${copy} What is there counts.`;
  }
}

function standsBeside({ late, aside, waiting }: Chain, { head }: Head): boolean {
  const hashes = [...late, ...aside, ...[...waiting.values()].map((link) => link.hash)];
  return hashes.some((hash) => hash.startsWith(head));
}
