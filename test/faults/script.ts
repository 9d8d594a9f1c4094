import type { Event } from "../../src/workflow/events.ts";

const stamp = (k: number) => ({ at: new Date(Date.UTC(2026, 0, 1, 0, 0, k)).toISOString(), by: "window" });
const ref = (step: string) => ({ workflow: "discovery", pass: 1, step, attempt: 1 });
const [long, short] = ["a_step_with_a_rather_long_name_that_takes_its_room", "b"];

/** A workflow of one event a transition, so that a number says how far it came. Files grow and shrink on the way. */
export const script: readonly Event[] = [
  { type: "started", ...stamp(0), ...ref(long), successor: short, inputs: { note: "x".repeat(300) } },
  completed(1, long),
  { type: "started", ...stamp(2), ...ref(short), successor: null },
  { type: "focused", ...stamp(3), ...ref(long) },
  { type: "focused", ...stamp(4), ...ref(long) },
  { type: "focused", ...stamp(5), ...ref(short) },
  completed(6, short),
  { type: "aside_started", ...stamp(7), workflow: "discovery", step: "correct_bot" },
];

function completed(k: number, step: string): Event {
  const word = { level: "auto" } as const;
  const rest = { duration: 1, word, fingerprint: `${k}`, successor: null, next: null, finished: false };
  return { type: "completed", ...stamp(k), ...ref(step), ...rest, outputs: { k } };
}
