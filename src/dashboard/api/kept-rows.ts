import { sortedList } from "../../kit/sorted-list.ts";
import { compareText } from "../overview/by-need.ts";
import type { RunRow } from "../overview/run-row-data.ts";
import type { BoardRun } from "./board-runs.ts";
import { type ListedRuns, listedRuns } from "./listed-runs.ts";

/** A run with its row; `changes` grows with every possible change. */
export type CachedRow = { readonly stream: BoardRun; readonly row: RunRow; readonly changes: number };

/** A run, with its row once that is read. */
export type Entry = {
  readonly stream: BoardRun;
  row: RunRow | undefined;
  changes: number;
  isSent: boolean;
};

/** Keeps the rows of these entries in order: one change must not cost more the more runs there are. */
export function keptRows(entries: Map<string, Entry>) {
  const rows = new Map<string, CachedRow>();
  const latest = sortedList<CachedRow>(latestFirst);
  const listed = listedRuns();
  /** All rows, until one changes. */
  let all: readonly CachedRow[] | undefined;
  /** Puts the row of a run in its place, as it is now. */
  function place(key: string): void {
    const before = rows.get(key);
    const { stream, row, changes } = entries.get(key) ?? {};
    all = undefined;
    if (before !== undefined) latest.remove(before);
    if (before?.row !== row) {
      listed.remove(before?.row);
      listed.add(row);
    }
    rows.delete(key);
    if (stream === undefined || row === undefined || changes === undefined) return;
    const now = { stream, row, changes };
    rows.set(key, now);
    latest.add(now);
  }
  for (const key of entries.keys()) place(key);
  return {
    /** All rows, latest change first; the same list until one of them changes. */
    all(): readonly CachedRow[] {
      all ??= [...latest.values()];
      return all;
    },
    row: (key: string): CachedRow | undefined => rows.get(key),
    /** The runs by need, and the number of all, items too. */
    listed: (): { readonly listed: ListedRuns; readonly count: number } => ({
      listed: listed.now(),
      count: rows.size,
    }),
    /** Counts a possible change of a run. */
    touch(entry: Entry): void {
      entry.changes += 1;
      place(entry.stream.key);
    },
    put(entry: Entry, row: RunRow): void {
      if (JSON.stringify(row) === JSON.stringify(entry.row)) return;
      entry.row = row;
      place(entry.stream.key);
    },
    remove(key: string): void {
      entries.delete(key);
      place(key);
    },
  };
}

function latestFirst({ stream: one, row: here }: CachedRow, { stream: other, row: there }: CachedRow): number {
  return compareText(there.changed ?? "", here.changed ?? "") || compareText(one.key, other.key);
}
