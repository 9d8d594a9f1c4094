import { fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import { type Chain, isBeside } from "../chain/chain.ts";
import { unlessFault } from "./faults.ts";
import { keepBytesAside } from "./kept.ts";

/** Notices that a journal no longer holds what was read from it: an older copy was put in its place, or it was cut or removed. */
export type Rollback = {
  /** The journal is read anew; what it said before is kept, where it can still be read. */
  begin(known: Chain, before: { readonly fd: number; readonly size: number } | undefined): void;
  /** The chain has come to a record. */
  reach(chain: Chain): void;
  /** The chain goes on from a sum that was saved: what lies before it is not seen again. */
  resume(chain: Chain): void;
  /** What is to be said, once, after all of the journal has been read. */
  take(chain: Chain): readonly string[];
};

/** Watches one journal. */
export function openRollback(file: string, kept: string): Rollback {
  let known: { readonly seq: number; readonly head: string; readonly isKept: boolean } | undefined;

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

  return {
    begin({ seq, head }, before) {
      if (seq === 0 || (known !== undefined && known.seq > seq)) return;
      known = { seq, head, isKept: before !== undefined && keep(before) };
    },
    reach({ seq, head }) {
      if (known?.seq === seq && known.head === head) known = undefined;
    },
    resume({ seq }) {
      if (known !== undefined && seq >= known.seq) known = undefined;
    },
    take(chain) {
      if (known === undefined) return [];
      const { seq, head, isKept } = known;
      known = undefined;
      if (isBeside(chain, head)) return []; // merged with another side that counts now: nothing is gone
      const copy = isKept ? " What stood there before is kept under .waymark/kept/." : "";
      return [
        `The history has gone back: ${basename(file)} had ${seq} record(s), and not all of them are there any more (an older copy, or a removed file).${copy} What is there counts. Run waymark verify.`,
      ];
    },
  };
}
