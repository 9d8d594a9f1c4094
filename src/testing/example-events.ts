import type { Event } from "../workflow/events.ts";

const at = (number: number): string => new Date(Date.UTC(2025, 11, 3, 10, 0, number)).toISOString();

/** An event that opens a step; the number makes it unique. */
export function startedExample(number: number, by = "window"): Event {
  return {
    type: "started",
    at: at(number),
    by,
    workflow: "discovery",
    pass: 1,
    step: `step_${number}`,
    attempt: 1,
    successor: null,
    inputs: { note: `line one\nline two, "quoted" – ${number}`, ["__proto__"]: "a key like any other" },
  };
}

/** The event that completes the same step. */
export function completedExample(number: number, by = "window"): Event {
  return {
    type: "completed",
    at: at(number),
    by,
    workflow: "discovery",
    pass: 1,
    step: `step_${number}`,
    attempt: 1,
    successor: null,
    next: null,
    duration: 60,
    word: { level: "relayed", text: "go on" },
    fingerprint: `fingerprint ${number}`,
    finished: false,
    outputs: { count: number, list: [1, [2, { three: null }]] },
    content: [{ path: `docs/${number}.md`, bytes: 3, sha256: "0".repeat(64) }],
  };
}

/** The events that start a session with its first step open. */
export function begunExample(by = "window"): readonly Event[] {
  const began: Event = {
    type: "session_began",
    at: at(0),
    by,
    workflow: "discovery",
    target: null,
    options: {},
    definition: "d".repeat(64),
    first: 1,
    total: 2,
  };
  return [began, { ...startedExample(1, by), ...{ step: "1", successor: "2" } }];
}
