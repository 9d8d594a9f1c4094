import type { Event } from "../../workflow/events.ts";
import { followWalk } from "./walk.ts";

/** Finds refusals that changed nothing; fed with one history in order, returns true if the same was missing as before. */
export function sameGapsFinder(): (event: Event) => boolean {
  const follower = followWalk(undefined, false);
  return (event) => {
    follower.feed(event);
    return event.type === "refused" && follower.open(event)?.handIns.at(-1)?.sameGaps === true;
  };
}
