import type { Event } from "../workflow/events.ts";
import { walker } from "./walk.ts";

/** Finds refusals that changed nothing: fed with the events of one history in order, it says of each whether the same was wanting as before. */
export function sameGapsFinder(): (event: Event) => boolean {
  const follower = walker(undefined, false);
  return (event) => {
    follower.feed(event);
    return event.type === "refused" && follower.open(event)?.handIns.at(-1)?.sameGaps === true;
  };
}
