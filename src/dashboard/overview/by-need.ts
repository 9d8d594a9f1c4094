import { conditionOrder } from "./conditions.ts";
import type { RunRow } from "./run-row-data.ts";

/** Sorts by condition; within one, blocked runs first, then the longest waiting, then the latest activity. */
export function byNeed(one: RunRow, other: RunRow): number {
  const condition = conditionOrder.indexOf(one.stands) - conditionOrder.indexOf(other.stands);
  if (condition !== 0) return condition;
  const blocked = Number(other.now?.blocked !== undefined) - Number(one.now?.blocked !== undefined);
  if (blocked !== 0) return blocked;
  if (one.stands === "waits") return compareText(one.now?.waitingSince ?? "", other.now?.waitingSince ?? "");
  return compareText(other.changed ?? "", one.changed ?? "");
}

/** Compares two texts by their code units. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
