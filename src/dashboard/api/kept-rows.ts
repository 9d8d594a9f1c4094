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

/** Keeps the rows of these entries in order. */
export function keptRows(entries: Map<string, Entry>) {
  let sorted: readonly CachedRow[] | undefined;
  /** The order as it last was: little of it has changed when it is asked for again. */
  let order: readonly Entry[] = [];
  const listed = listedRuns();
  /** The runs with a row. */
  let count = 0;
  const add = (row: RunRow | undefined): void => {
    if (row !== undefined) count += 1;
    listed.add(row);
  };
  const remove = (row: RunRow | undefined): void => {
    if (row !== undefined) count -= 1;
    listed.remove(row);
  };
  for (const { row } of entries.values()) add(row);
  const changed = (): void => {
    sorted = undefined;
  };
  return {
    /** All rows, latest change first; the same list until one of them changes. */
    all(): readonly CachedRow[] {
      if (sorted !== undefined) return sorted;
      const known = new Set(order);
      const fresh = [...entries.values()].filter((entry) => !known.has(entry));
      order = [...fresh, ...order.filter((entry) => entries.get(entry.stream.key) === entry)].sort(latestFirst);
      sorted = order.flatMap(({ stream, row, changes }) => (row === undefined ? [] : [{ stream, row, changes }]));
      return sorted;
    },
    /** The runs by need, and the number of all, items too. */
    listed: (): { readonly listed: ListedRuns; readonly count: number } => ({ listed: listed.now(), count }),
    put(entry: Entry, row: RunRow): void {
      if (JSON.stringify(row) === JSON.stringify(entry.row)) return;
      changed();
      remove(entry.row);
      add(row);
      entry.row = row;
    },
    remove(key: string): void {
      remove(entries.get(key)?.row);
      entries.delete(key);
      changed();
    },
    changed,
  };
}

function latestFirst({ row: one }: Entry, { row: other }: Entry): number {
  const [here, there] = [one?.changed ?? "", other?.changed ?? ""];
  return here < there ? 1 : here > there ? -1 : 0;
}
