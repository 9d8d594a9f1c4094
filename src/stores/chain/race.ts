import type { JournalRecord } from "./record.ts";

/** Where and when a record was written: what tells one that came too late from one of another side. */
export type Writing = { readonly copy?: string; readonly at: string };

/** The writing of a record. One of before, which does not say when, was written as soon as it was decided. */
export function writingOf({ copy, at, events }: JournalRecord): Writing {
  const written = at ?? events[0]?.at ?? "";
  return copy === undefined ? { at: written } : { copy, at: written };
}

/**
 * Tells whether a record that follows the same one as another, which stands before it, lost a race to it.
 *
 * Its writer looked, wrote, looked again, found the other one there and decided anew: nobody was told that it counts, and
 * nobody goes on from it. Written to one file, the two are moments apart. Two branches of git have each a file of their own,
 * and what was written to one of them was answered. Where it cannot be told, it was answered: better to name too much.
 */
export function lostRace(late: Writing, first: Writing): boolean {
  const isElsewhere = late.copy !== undefined && first.copy !== undefined && late.copy !== first.copy;
  return !isElsewhere && Math.abs(Date.parse(late.at) - Date.parse(first.at)) <= moment;
}

/** A process under load may take so long between its look and its write, in milliseconds. */
const moment = 10_000;
