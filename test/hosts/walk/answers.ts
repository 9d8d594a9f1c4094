import type { Seen } from "../model-api.ts";

/** What the last tool answered. */
export function last(seen: Seen): string {
  return seen.answers.at(-1) ?? "";
}

/** Whether an answer says that a step is completed, as text or as structured content, however a host quotes it. */
export function isCompleted(answer: string): boolean {
  return /"?status\\*"?: ?\\*"?(completed|workflow_complete)|\[(completed|workflow_complete)\]/.test(answer);
}
