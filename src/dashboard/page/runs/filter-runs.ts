import type { RunCondition, RunRow } from "../../api/board-data.ts";
import type { RunFilters } from "../board/location.ts";
import { statusOrder } from "../board/status-labels.ts";

/** A line of the list: a run, or the heading of a group. */
export type ListItem = { readonly head: RunCondition; readonly count: number } | { readonly row: RunRow };

/** Lists the runs that fit, grouped by condition; in one list where another order is chosen. */
export function filterRuns(all: readonly RunRow[], filters: RunFilters, now: number): readonly ListItem[] {
  const shown = statusOrder.filter((one) =>
    filters.stands === undefined ? one !== "archived" : one === filters.stands,
  );
  const fitting = all.filter((row) => shown.includes(row.stands) && fits(row, filters, now));
  const order = orders[filters.sort ?? ""];
  if (order !== undefined) return fitting.sort(order).map((row) => ({ row }));
  return shown.flatMap((stands): readonly ListItem[] => {
    const found = fitting.filter((row) => row.stands === stands).sort(byNeed);
    return found.length === 0 ? [] : [{ head: stands, count: found.length }, ...found.map((row) => ({ row }))];
  });
}

function fits(row: RunRow, { workflow, assistant, for: person, age, q = "" }: RunFilters, now: number): boolean {
  if (workflow !== undefined && row.workflow !== workflow) return false;
  if (assistant !== undefined && assistantOf(row) !== assistant) return false;
  if (person !== undefined && !(row.now?.waitingFor ?? "").includes(person)) return false;
  if (age !== undefined && !(now - Date.parse(row.changed ?? "") > Number(age) * 86_400_000)) return false;
  const text = `${row.title} ${row.workflow} ${row.run ?? ""} ${row.now?.label ?? ""} ${row.stands}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The assistant that works on a run, without its version. */
export function assistantOf({ now }: RunRow): string | undefined {
  return now?.client?.replace(/\s+\d\S*$/, "");
}

/** The orders that can be chosen instead of by need. */
const orders: Readonly<Record<string, (one: RunRow, other: RunRow) => number>> = {
  latest: (one, other) => (other.changed ?? "").localeCompare(one.changed ?? ""),
  oldest: (one, other) => (one.changed ?? "").localeCompare(other.changed ?? ""),
  name: (one, other) => one.title.localeCompare(other.title),
  refused: (one, other) => other.refusals - one.refusals,
};

/** Sorts blocked runs first, then the longest waiting, then by latest activity. */
function byNeed(one: RunRow, other: RunRow): number {
  const blocked = Number(other.now?.blocked !== undefined) - Number(one.now?.blocked !== undefined);
  if (blocked !== 0) return blocked;
  if (one.now?.waitingSince !== undefined && other.now?.waitingSince !== undefined)
    return one.now.waitingSince.localeCompare(other.now.waitingSince);
  return (other.changed ?? "").localeCompare(one.changed ?? "");
}
