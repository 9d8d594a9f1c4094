import type { JournalRecord } from "./journal-record.ts";

/** The copy and time of a record's write, which tell a lost race from a fork. */
export type Writing = { readonly copy?: string; readonly at: string };

/** The writing of a record; older records, which do not say when, were written when they were decided. */
export function writingOf({ copy, at, events }: JournalRecord): Writing {
  const written = at ?? events[0]?.at ?? "";
  return copy === undefined ? { at: written } : { copy, at: written };
}

/**
 * Tells if a record lost a race to an earlier one with the same predecessor. Its writer then read the other one and decided again: it was
 * never answered, and nothing follows it. Two writes to one file are moments apart, but two git branches have a file each, and both were
 * answered. If unsure, it counts as answered: better to report too much.
 */
export function lostRace(late: Writing, first: Writing): boolean {
  const isElsewhere = late.copy !== undefined && first.copy !== undefined && late.copy !== first.copy;
  return !isElsewhere && Math.abs(Date.parse(late.at) - Date.parse(first.at)) <= moment;
}

/** The time a process under load may take between its read and its write, in milliseconds. */
const moment = 10_000;
