import { type Desk, emptyDesk } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";

/** What a history added up to right before each of some of its events. */
export function desksBefore<T extends Event>(events: readonly Event[], wanted: Iterable<T>): ReadonlyMap<T, Desk> {
  const left = new Map<Event, T>([...wanted].map((one) => [one, one]));
  const found = new Map<T, Desk>();
  let desk = emptyDesk;
  let from = 0;
  for (const [at, event] of left.size === 0 ? [] : events.entries()) {
    const one = left.get(event);
    if (one === undefined) continue;
    desk = replay(events.slice(from, at), desk);
    found.set(one, desk);
    from = at;
  }
  return found;
}
