import { countText } from "../../kit/count-text.ts";
import type { JournalRecord } from "./journal-record.ts";

/** Watches the times of records, in the order of the chain. */
export type RecordTimes = {
  /** Says what is wrong with the time of the next record; undefined if nothing is. */
  problemOf(record: JournalRecord): string | undefined;
  /** Remarks about records of an older Waymark, which did not keep times in order. */
  notes(): readonly string[];
};

/** Clocks of readers and writers may differ by this much. */
const toleranceMs = 5 * 60_000;

/** Starts with no record; `now` is the reader's time. */
export function timesIn(now: number): RecordTimes {
  let last: { readonly at: string; readonly seq: number } | undefined;
  let isOrdered = false;
  let isAhead = false;
  let backwards = 0;
  return {
    problemOf({ seq, events }) {
      let problem: string | undefined;
      for (const event of events) {
        // since attempts have ids, every writer keeps the times in order
        isOrdered ||= "attemptId" in event;
        const { at } = event;
        if (last !== undefined && Date.parse(at) < Date.parse(last.at)) {
          if (isOrdered) problem ??= `record ${seq} is dated ${at}, before record ${last.seq} (${last.at})`;
          else backwards += 1;
        }
        if (!isAhead && Date.parse(at) > now + toleranceMs) {
          isAhead = true;
          problem ??= `record ${seq} is dated ${at}, which has not come yet`;
        }
        last = { at, seq };
      }
      return problem;
    },
    notes: () =>
      backwards === 0
        ? []
        : [`${countText(backwards, "event")} of an older Waymark dated before the one that came first.`],
  };
}
