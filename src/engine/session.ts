import type { StepRef } from "../workflow/events.ts";

/** One connection: what it opened, and the steps a person was asked about in vain. */
export type Session = {
  readonly id: string;
  opened: StepRef | null;
  openedAside: string | null;
  readonly unanswered: Set<string>;
};

/** A new connection that has opened nothing yet. */
export function newSession(id: string): Session {
  return { id, opened: null, openedAside: null, unanswered: new Set() };
}
