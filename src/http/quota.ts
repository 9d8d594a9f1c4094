/** How much one principal may ask for. */
export type Quota = {
  /** Calls a second, over time, and at once after a pause. */
  readonly perSecond: number;
  readonly burst: number;
  /** Calls under way at a time, and streams held open. */
  readonly calls: number;
  readonly streams: number;
};

/** Generous to a team's assistants, and no more than one process bears. */
export const usualQuota: Quota = { perSecond: 500, burst: 1000, calls: 256, streams: 256 };

/** Counts what each principal asks for. */
export type Quotas = {
  /** Takes a call in: `leave` once it is answered; or after how many seconds to come again. */
  enter(principal: string, kind: "calls" | "streams"): { leave(): void } | { readonly after: number };
};

/** Principals with nothing under way that have had their pause are forgotten once there are so many. */
const mostKnown = 1000;

/** Begins with nothing asked for. */
export function quotas(
  { perSecond, burst, ...most }: Quota,
  clock: () => number = performance.now.bind(performance),
): Quotas {
  type Count = { left: number; at: number; calls: number; streams: number };
  const counts = new Map<string, Count>();
  return {
    enter(principal, kind) {
      const now = clock();
      if (counts.size >= mostKnown)
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
