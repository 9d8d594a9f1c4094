import { expect, test } from "vitest";
import { startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { genesisHash, type JournalLine, toLine } from "./journal-record.ts";
import { verifyLines } from "./verify-lines.ts";

const at = (minutes: number, from = Date.parse("2026-01-01T12:00:00.000Z")): string =>
  new Date(from + minutes * 60_000).toISOString();

/** A history whose records have these times; `named`: its attempts have ids, as this version gives them. */
function history(times: readonly string[], named = true) {
  const lines: JournalLine[] = [];
  for (const [index, time] of times.entries()) {
    const event: Event = { ...startedExample(index + 1), at: time };
    const events = [named ? { ...event, attemptId: `a00000${index}` } : event] as readonly Event[];
    lines.push(toLine({ seq: index + 1, prev: lines.at(-1)?.hash ?? genesisHash, op: `${index}`, events }));
  }
  return verifyLines((line) => {
    for (const [index, { text }] of lines.entries()) line(Buffer.from(text), index, index + 1);
  });
}

// Attack (file tools): Date a record before the one it follows, or more than five minutes ahead
// -> Exposed by `verify`. A server whose clock is behind records the time of the record before
test("a record that is dated before the one that came first is a break", () => {
  const { breaks } = history([at(0), at(5), at(4), at(6)]);
  expect(breaks).toMatchObject([{ seq: 3, reason: `record 3 is dated ${at(4)}, before record 2 (${at(5)})` }]);
  expect(history([at(0), at(0), at(1)]).breaks).toEqual([]);
});

test("in the records of an older Waymark it is a note", () => {
  const { breaks, notes } = history([at(0), at(5), at(4), at(3)], false);
  expect(breaks).toEqual([]);
  expect(notes).toEqual(["2 events of an older Waymark dated before the one that came first."]);
});

test("a record from more than five minutes ahead of the reader is a break", () => {
  expect(history([at(0), at(4, Date.now())]).breaks).toEqual([]);
  expect(history([at(0), at(6, Date.now())]).breaks).toMatchObject([{ seq: 2 }]);
});
