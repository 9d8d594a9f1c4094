import { fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import { countText } from "../../kit/count-text.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { Chain } from "../chain/journal-chain.ts";
import { keepBytesAside } from "./keep-aside.ts";
import { type Head, isSameHead, type SeenHistory } from "./trust/seen-history.ts";

/** The loss of records that were seen, and its message. */
export type LostRecords = {
  readonly text: string;
  /** A seen record is different now, while all before it are unchanged. */
  readonly changed?: true;
  /** The message to use if git has the history so: it ends where it was seen to end before. */
  readonly branch?: string;
};

/** Notices that a journal no longer holds what any process on this machine read from it: rolled back, cut, changed or removed. */
export type RollbackDetector = {
  /** The journal is read again; a copy of the previous one is kept if readable. */
  begin(known: Chain, before: { readonly fd: number; readonly size: number } | undefined): void;
  /** The chain reached a record. */
  reach(record: Head): void;
  /** Tells if the chain may continue from a checkpoint; false if what was seen lies before it. */
  resume(end: Head): boolean;
  /** Reports what was lost once the journal is read; later calls report what was found since. */
  look(chain: Chain): LostRecords | undefined;
};

type KnownHead = Head & { readonly isKept: boolean };

/** Watches one journal of a named stream. */
export function openRollbackDetector(
  file: string,
  name: string,
  kept: string,
  seen: SeenHistory | undefined,
): RollbackDetector {
  const last = seen?.last();
  let known: KnownHead | undefined = last === undefined || last.seq === 0 ? undefined : { ...last, isKept: false };
  /** The last seen record that is still there. */
  let shared = 0;
  let isEndSeen = true;

  function keep(before: { readonly fd: number; readonly size: number }): boolean {
    const isKept = unlessIoError(() => {
      if (fstatSync(before.fd).size < before.size) return false; // cut in place: the bytes are gone
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
      if (seq > 0 && seen?.wasForgotten(head) === true) {
        known = undefined; // a person had it erased, so no copy is kept either
        return;
      }
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
      if (isInFork(chain, lost)) return undefined; // merged into a fork that counts now: nothing is gone
      const changed = shared > 0 && shared === lost.seq - 1 && chain.seq >= lost.seq;
      const branch =
        chain.seq === 0
          ? `The history of ${name} is not here: it is on another git branch.`
          : `The history of ${name} ends at record ${chain.seq}, where it was seen to end before: this is another git branch.`;
      const more = { ...(isEndSeen ? { branch } : {}), ...(changed ? { changed } : {}) };
      return { text: wordsFor(lost, chain, changed), ...more };
    },
  };

  function wordsFor({ seq, isKept }: KnownHead, chain: Chain, changed: boolean): string {
    const copy = isKept ? " The previous version is under .waymark/kept/." : "";
    if (chain.seq === 0)
      return `The history of ${name}, with ${countText(seq, "record")}, is gone (.waymark/journal).${copy}`;
    if (changed)
      return `The history was changed: record ${seq} of ${basename(file)} is not the one this machine has seen.${copy}`;
    if (shared === 0 && seen !== undefined)
      return `The history of ${name}, with ${countText(seq, "record")}, was replaced by another one (.waymark/journal).${copy}`;
    return `The history was rolled back: ${basename(file)} had ${countText(seq, "record")}, and some are missing now.${copy} The remaining ones count.`;
  }
}

function isInFork({ late, forked, waiting }: Chain, { head }: Head): boolean {
  const hashes = [...late, ...forked, ...[...waiting.values()].map((link) => link.hash)];
  return hashes.some((hash) => hash.startsWith(head));
}
