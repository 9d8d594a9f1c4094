import { sha256 } from "../../evidence/sha256.ts";
import { replayer } from "../../workflow/replay.ts";
import type { Chain } from "../chain/chain.ts";
import { type JournalRecord, readLine } from "../chain/record.ts";
import { type Believes, verifyLines } from "../chain/verify-lines.ts";
import type { Journal } from "./journal.ts";
import type { Bookkeeping, Tally } from "./ledger.ts";

/** What stands in a journal beside the records that count: git has merged there what went on on other branches. */
export type OtherSides<L extends Tally> = {
  /** How many records were set aside, without those that a person has accepted so. */
  count(): number;
  /** Adds every other side up, from the first record that it shares with this one; `each` sees the ledger after every record, and whether it was the last of its side. */
  recount(each: (ledger: L, isLast: boolean) => void): void;
};

/** Opens the other sides of one journal. What is late costs nothing here; all of the journal is read only where there is more. */
export function openOtherSides<L extends Tally>(
  journal: Journal,
  kind: Bookkeeping<L>,
  chain: () => Chain,
  believes?: Believes,
): OtherSides<L> {
  let counted: { readonly chain: Chain; readonly beside: number; readonly count: number } | undefined;

  const hashes = (...kinds: readonly string[]): readonly string[] =>
    verifyLines(journal.scan, undefined, believes).lines.flatMap(({ kind: what, hash }) =>
      kinds.includes(what) ? [hash] : [],
    );

  function count(): number {
    const now = chain();
    const beside = now.aside.size + now.waiting.size;
    if (beside === 0) return 0;
    if (counted?.chain !== now || counted.beside !== beside)
      counted = { chain: now, beside, count: hashes("aside").length };
    return counted.count;
  }

  return {
    count,
    recount(each) {
      const { aside: others, waiting } = chain();
      const aside = others.size + waiting.size === 0 ? [] : hashes("aside", "accepted");
      if (aside.length === 0) return;
      const records = recordsOf(journal);
      const followed = new Set(aside.map((hash) => records.get(hash)?.prev));
      const ends = aside.filter((hash) => !followed.has(hash));
      for (const end of ends.slice(0, manySides)) {
        const ledger = kind.empty();
        const add = replayer(ledger.desk);
        const path = pathTo(end, records);
        for (const [index, record] of path.entries()) {
          kind.add(ledger, record);
          ledger.desk = add(record.events);
          each(ledger, index === path.length - 1);
        }
      }
    },
  };
}

/** Nobody merges more sides than this: each of them is added up from its beginning. */
const manySides = 20;

function recordsOf(journal: Journal): ReadonlyMap<string, JournalRecord> {
  const records = new Map<string, JournalRecord>();
  journal.scan((bytes) => {
    const line = readLine(bytes);
    if (line !== undefined && "seq" in line) records.set(sha256(bytes), line);
  });
  return records;
}

/** The records that lead to a line, oldest first. */
function pathTo(end: string, records: ReadonlyMap<string, JournalRecord>): readonly JournalRecord[] {
  const path: JournalRecord[] = [];
  for (let record = records.get(end); record !== undefined; record = records.get(record.prev)) path.push(record);
  return path.reverse();
}
