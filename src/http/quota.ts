/** The limits of one principal. */
export type Quota = {
  /** Calls per second on average, and at once after a pause. */
  readonly perSecond: number;
  readonly burst: number;
  /** Simultaneous calls and open streams. */
  readonly calls: number;
  readonly streams: number;
};

/** The default limits: generous to a team's assistants, within what one process can handle. */
export const defaultQuota: Quota = { perSecond: 500, burst: 1000, calls: 256, streams: 256 };

/** Counts the calls of each principal. */
export type Quotas = {
  /** Admits a call until `leave`, or returns the seconds to wait. */
  enter(principal: string, kind: "calls" | "streams"): { leave(): void } | { readonly after: number };
  /** Counts further calls that came with an admitted one; returns the seconds to wait if they are too many. */
  spend(principal: string, calls: number): { readonly after: number } | undefined;
};

/** The number of principals above which idle ones are forgotten. */
const maxKnown = 1000;

/** Creates empty counters. */
export function quotas(
  { perSecond, burst, ...most }: Quota,
  clock: () => number = performance.now.bind(performance),
): Quotas {
  type Count = { left: number; at: number; calls: number; streams: number };
  const counts = new Map<string, Count>();
  return {
    spend(principal, calls) {
      const count = counts.get(principal);
      if (count === undefined || calls <= 0) return undefined;
      if (count.left < calls) return { after: Math.ceil((calls - count.left) / perSecond) };
      count.left -= calls;
      return undefined;
    },
    enter(principal, kind) {
      const now = clock();
      if (counts.size >= maxKnown)
        for (const [known, { at, calls, streams }] of counts)
          if (calls + streams === 0 && now - at > (1000 * burst) / perSecond) counts.delete(known);
      const count = counts.get(principal) ?? { left: burst, at: now, calls: 0, streams: 0 };
      counts.set(principal, count);
      count.left = Math.min(burst, count.left + ((now - count.at) / 1000) * perSecond);
      count.at = now;
      if (count.left < 1) return { after: Math.ceil((1 - count.left) / perSecond) };
      if (count[kind] >= most[kind]) return { after: 1 };
      count.left--;
      count[kind]++;
      let isIn = true;
      return {
        leave() {
          if (isIn) count[kind]--;
          isIn = false;
        },
      };
    },
  };
}
