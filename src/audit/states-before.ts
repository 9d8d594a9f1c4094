import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
import { emptyStream, type StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** The state of a stream right before each of the wanted events. */
export function statesBefore<T extends Event>(
  events: readonly Event[],
  wanted: Iterable<T>,
): ReadonlyMap<T, StreamSnapshot> {
  const left = new Map<Event, T>([...wanted].map((one) => [one, one]));
  const found = new Map<T, StreamSnapshot>();
  let stream = emptyStream;
  let from = 0;
  for (const [at, event] of left.size === 0 ? [] : events.entries()) {
    const one = left.get(event);
    if (one === undefined) continue;
    stream = replay(events.slice(from, at), stream);
    found.set(one, stream);
    from = at;
  }
  return found;
}
