import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { type Chain, findBreak } from "../chain/chain.ts";
import { bridgeLine } from "../chain/record.ts";
import { unlessFault } from "./faults.ts";
import type { Journal } from "./journal.ts";
import { keepAside } from "./kept.ts";

/** A journal, what has been read of it, and where a damaged one is kept. */
export type Damaged = {
  readonly journal: Journal;
  readonly file: string;
  readonly kept: string;
  chain(): Chain;
  /** Reads on, after a line has been added. */
  catchUp(): void;
};

/** Looks for damage in a journal; says, once, what was found and where. */
export type Mender = { look(): readonly string[] };

/** Reports the damage of one journal, keeps the damaged file aside, and lets the history go on with what can be read. */
export function openMender({ journal, file, kept, chain, catchUp }: Damaged): Mender {
  const reported = new Set<number>();
  let isKept = false;

  function report(offset: number, what: string): readonly string[] {
    if (reported.has(offset)) return [];
    reported.add(offset);
    isKept ||= unlessFault(() => [keepAside(file, kept, new Date())]) !== undefined;
    const copy = isKept ? " A copy of the file is kept under .waymark/kept/." : "";
    return [`The history is damaged: ${basename(file)}, byte ${offset}: ${what}.${copy} Run waymark verify.`];
  }

  return {
    look() {
      const warnings: string[] = [];
      const isJunk = chain().seq === 0 && chain().waiting.size === 0 && (journal.progress()?.offset ?? 0) > 0;
      if (isJunk) warnings.push(...report(0, "no record in it can be read"));
      for (const { offset, seq } of chain().unreadable)
        if (seq > chain().seq) warnings.push(...report(offset, `record ${seq} cannot be read`));
      for (let found = findBreak(chain()); found !== undefined; ) {
        const { offset, seq, bridge } = found;
        const what = `record ${seq} follows one that is lost or was changed; what can be read goes on to count`;
        warnings.push(...report(offset, what));
        if (!journal.write(bridgeLine(bridge, randomUUID()))) return warnings;
        catchUp();
        const next = findBreak(chain());
        if (next?.offset === offset) return warnings;
        found = next;
      }
      return warnings;
    },
  };
}
