import type { LogRow } from "../overview/log-row.ts";

/** Whether a row tells people something that another does not: going to a step, meeting it and keeping what was handed in do not. */
export function matters({ event, digest }: LogRow): boolean {
  if (event === "handed_in") return digest !== undefined;
  return typeof event !== "string" || !beside.has(event);
}

const beside: ReadonlySet<string> = new Set(["went_there", "met", "continued", "unanswered"]);
