import { countByCondition, type RunCondition } from "../overview/conditions.ts";
import type { RunRow } from "../overview/run-row-data.ts";
import type { BoardRun } from "./board-runs.ts";

/** A run with its row; `changes` grows with every possible change. */
export type CachedRow = { readonly stream: BoardRun; readonly row: RunRow; readonly changes: number };

/** A run, with its row once that is read. */
export type Entry = {
  readonly stream: BoardRun;
  row: RunRow | undefined;
  changes: number;
  isSent: boolean;
};

/** Keeps the rows of these entries in order, and their counts: one change must not cost more the more runs there are. */
export function keptRows(entries: Map<string, Entry>) {
  let sorted: readonly CachedRow[] | undefined;
  /** The order as it last was: little of it has changed when it is asked for again. */
  let order: readonly Entry[] = [];
  const counts = { ...countByCondition([...entries.values()].flatMap(({ row }) => listed(row))) };
  const count = (row: RunRow | undefined, by: 1 | -1): void => {
    for (const { stands } of listed(row)) counts[stands] += by;
  };
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
    /** The number of runs in each condition, without items, which are shown with their parents. */
    counts: (): Readonly<Record<RunCondition, number>> => ({ ...counts }),
    put(entry: Entry, row: RunRow): void {
      if (JSON.stringify(row) !== JSON.stringify(entry.row)) changed();
      count(entry.row, -1);
      count(row, 1);
      entry.row = row;
    },
    remove(key: string): void {
      count(entries.get(key)?.row, -1);
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

function listed(row: RunRow | undefined): readonly RunRow[] {
  return row === undefined || row.itemOf !== undefined ? [] : [row];
}
