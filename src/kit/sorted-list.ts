/** Values kept in order: what was added is sorted in when they are read, so that one more costs little and many cost one sort. */
export type SortedList<T> = { add(value: T): void; remove(value: T): void; values(): readonly T[] };

/** Starts an empty list; `compare` calls no two values equal, unless it is the same value twice. */
export function sortedList<T extends number | string>(): SortedList<T>;
export function sortedList<T>(compare: (one: T, other: T) => number): SortedList<T>;
export function sortedList<T>(compare = byValue<T>): SortedList<T> {
  const sorted: T[] = [];
  let added: T[] = [];
  /** The place of the first value that is not smaller. */
  function placeOf(value: T): number {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const there = sorted[middle];
      if (there !== undefined && compare(there, value) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  function values(): readonly T[] {
    const isMany = added.length > fewAdded;
    for (const value of added) sorted.splice(isMany ? sorted.length : placeOf(value), 0, value);
    if (isMany) sorted.sort(compare);
    added = [];
    return sorted;
  }
  return {
    add: (value) => void added.push(value),
    remove(value) {
      values();
      const at = placeOf(value);
      if (sorted[at] === value) sorted.splice(at, 1);
    },
    values,
  };
}

function byValue<T>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** At most so many are put in their place one by one. */
const fewAdded = 50;
