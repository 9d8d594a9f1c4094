import { sha256 } from "../../kit/sha256.ts";
import { replayer } from "../../workflow/replay.ts";
import type { Chain } from "../chain/journal-chain.ts";
import { type JournalRecord, parseLine } from "../chain/journal-record.ts";
import { type Trusts, verifyLines } from "../chain/verify-lines.ts";
import type { Journal } from "./journal.ts";
import type { JournalTotals, TotalsReducer } from "./journal-totals.ts";

/** The forked records of a journal, which git merged in from other branches. */
export type Forks<L extends JournalTotals> = {
  /** The number of forked records that were not accepted. */
  count(): number;
  /** Adds up every fork from the first shared record; `each` sees the totals after every record, and if it is the fork's last. */
  recount(each: (ledger: L, isLast: boolean) => void): void;
};

/** Opens the forks of one journal; reads the whole journal only if there are any. */
export function openForks<L extends JournalTotals>(
  journal: Journal,
  kind: TotalsReducer<L>,
  chain: () => Chain,
  trusts?: Trusts,
): Forks<L> {
  let counted: { readonly chain: Chain; readonly beside: number; readonly count: number } | undefined;

  const hashes = (...kinds: readonly string[]): readonly string[] =>
    verifyLines(journal.scan, undefined, trusts).lines.flatMap(({ kind: what, hash }) =>
      kinds.includes(what) ? [hash] : [],
    );

  function count(): number {
    const now = chain();
    const beside = now.forked.size + now.waiting.size;
    if (beside === 0) return 0;
    if (counted?.chain !== now || counted.beside !== beside)
      counted = { chain: now, beside, count: hashes("aside").length };
    return counted.count;
  }

  return {
    count,
    recount(each) {
      const { forked: others, waiting } = chain();
      const forked = others.size + waiting.size === 0 ? [] : hashes("aside", "accepted");
      if (forked.length === 0) return;
      const records = recordsOf(journal);
      const followed = new Set(forked.map((hash) => records.get(hash)?.prev));
      const ends = forked.filter((hash) => !followed.has(hash));
      for (const end of ends.slice(0, manySides)) {
        const ledger = kind.empty();
        const add = replayer(ledger.stream);
        const path = pathTo(end, records);
        for (const [index, record] of path.entries()) {
          kind.add(ledger, record);
          ledger.stream = add(record.events);
          each(ledger, index === path.length - 1);
        }
      }
    },
  };
}

/** The most forks considered: each is added up from its beginning. */
const manySides = 20;

function recordsOf(journal: Journal): ReadonlyMap<string, JournalRecord> {
  const records = new Map<string, JournalRecord>();
  journal.scan((bytes) => {
    const line = parseLine(bytes);
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
