import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { type Chain, findBreak } from "../chain/journal-chain.ts";
import { bridgeLine } from "../chain/journal-record.ts";
import type { Journal } from "./journal.ts";
import { keepAside } from "./keep-aside.ts";

/** A journal, its chain, and the folder for damaged copies. */
export type DamagedJournal = {
  readonly journal: Journal;
  readonly file: string;
  readonly kept: string;
  chain(): Chain;
  /** Reads on after a line was added. */
  catchUp(): void;
};

/** Looks for damage in a journal and reports each finding once. */
export type DamageReport = { look(): readonly string[] };

/** Reports damage in one journal, keeps a copy of the file, and lets the history continue with what is readable. */
export function openDamageReport({ journal, file, kept, chain, catchUp }: DamagedJournal): DamageReport {
  const reported = new Set<number>();
  let isKept = false;

  function report(offset: number, what: string): readonly string[] {
    if (reported.has(offset)) return [];
    reported.add(offset);
    isKept ||= unlessIoError(() => [keepAside(file, kept, new Date())]) !== undefined;
    const copy = isKept ? " A copy is under .waymark/kept/." : "";
    return [`The history is damaged: ${basename(file)}, byte ${offset}: ${what}.${copy} Run waymark verify.`];
  }

  return {
    look() {
      const warnings: string[] = [];
      const isJunk = chain().seq === 0 && chain().waiting.size === 0 && (journal.progress()?.offset ?? 0) > 0;
      if (isJunk) warnings.push(...report(0, "none of its records can be read"));
      for (const { offset, seq } of chain().unreadable)
        if (seq > chain().seq) warnings.push(...report(offset, `record ${seq} cannot be read`));
      for (let found = findBreak(chain()); found !== undefined; ) {
        const { offset, seq, bridge } = found;
        const what = `record ${seq} follows one that is lost or changed; readable records still count`;
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
