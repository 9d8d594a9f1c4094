import type { Event } from "../../src/workflow/events.ts";

const stamp = (k: number) => ({ at: new Date(Date.UTC(2026, 0, 1, 0, 0, k)).toISOString(), by: "window" });
const ref = (step: string, attempt = 1) => ({ workflow: "survey", pass: 1, step, attempt });

/** A session from its beginning to its end: the records it makes, one after the other. */
export const sessionScript: readonly (readonly Event[])[] = [
  [
    {
      type: "session_began",
      ...stamp(0),
      workflow: "survey",
      target: "a.ts",
      options: {},
      definition: "d".repeat(64),
      first: 1,
      total: 2,
    },
    { type: "started", ...stamp(0), ...ref("1"), successor: "2" },
  ],
  [{ type: "refused", ...stamp(1), workflow: "survey", step: "2", code: "phase_sequence_violation" }],
  [passed(2, "1"), { type: "started", ...stamp(2), ...ref("2"), successor: null }],
  [{ type: "refused", ...stamp(3), workflow: "survey", step: "2", code: "incomplete_checkpoint", gaps: ["a"] }],
  // a route leads back: completion, way back and start are one record
  [
    passed(4, "2", { finished: false }),
    { type: "went_back", ...stamp(4), ...ref("1"), supersedes: ["2"], from: "2", route: 0 },
    { type: "started", ...stamp(4), ...ref("1", 2), successor: "2" },
  ],
  [
    passed(5, "1", { attempt: 2 }),
    { type: "passed_over", ...stamp(5), workflow: "survey", pass: 1, step: "2", condition: "1.k == 1", read: {} },
  ],
];

function passed(k: number, step: string, more: { attempt?: number; finished?: boolean } = {}): Event {
  const rest = { duration: 1, word: { level: "auto" } as const, fingerprint: `${k}`, successor: null, next: null };
  return {
    type: "completed",
    ...stamp(k),
    ...ref(step, more.attempt),
    ...rest,
    finished: more.finished ?? more.attempt === 2,
    evidence: { k: "x".repeat(500) },
  };
}
