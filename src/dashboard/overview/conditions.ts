/** The conditions of a run, most urgent first: waiting for a person, refused twice by its gate, moving, idle for long, done, or archived. */
export const conditionOrder = ["waits", "stuck", "working", "quiet", "finished", "archived"] as const;

export type RunCondition = (typeof conditionOrder)[number];

/** How a condition is counted, how it is headed, its icon on the page and its symbol at a terminal. */
export const conditions = {
  waits: { word: "waiting", badge: "Waiting for a person", icon: "pause", symbol: "‖" },
  stuck: { word: "stuck", badge: "Stuck", icon: "cross", symbol: "✗" },
  working: { word: "working", badge: "Working", icon: "play", symbol: "▶" },
  quiet: { word: "idle", badge: "Idle", icon: "moon", symbol: "☾" },
  finished: { word: "finished", badge: "Finished", icon: "check", symbol: "✓" },
  archived: { word: "archived", badge: "Archived", icon: "box", symbol: "▪" },
} as const satisfies Readonly<Record<RunCondition, object>>;

/** Counts runs by condition; runs that have not started are left out. */
export function countByCondition(
  runs: readonly { readonly stands: RunCondition | null }[],
): Readonly<Record<RunCondition, number>> {
  const counts = { waits: 0, stuck: 0, working: 0, quiet: 0, finished: 0, archived: 0 };
  for (const { stands } of runs) if (stands !== null) counts[stands] += 1;
  return counts;
}
