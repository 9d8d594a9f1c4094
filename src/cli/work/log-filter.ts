import type { LogRow } from "../../dashboard/overview/log-row.ts";

/** Tells whether a row is worth showing on a short log. */
export function isWorthShowing({ event, digest }: LogRow): boolean {
  if (event === "handed_in") return digest !== undefined;
  return typeof event !== "string" || !minorEvents.has(event);
}

const minorEvents: ReadonlySet<string> = new Set(["went_there", "met", "continued", "unanswered"]);
