import type { StoredRecord } from "../../engine/ports/event-log.ts";
import type { Event } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { cutLine } from "../overview/cut-values.ts";
import { detailedRows, type RowDetails } from "../overview/detailed-rows.ts";
import type { LogRow } from "../overview/log-row.ts";
import { eventText, rowDetails } from "../overview/log-text.ts";
import type { ShownEvent, ShownRecord } from "./board-data.ts";

/** Formats a record as a row, with each event in one line as in `waymark log`. */
export function shownRecord(
  id: StreamId,
  { seq, hash, events }: StoredRecord,
  besideOf: (event: Event) => RowDetails,
): ShownRecord {
  return { seq, hash, events: events.slice(0, mostEvents).flatMap((event) => shownEvents(id, event, besideOf(event))) };
}

/** The most events shown, because an adopted log may hold any number. */
const mostEvents = 50;

function shownEvents({ kind, name }: StreamId, event: Event, beside: RowDetails): readonly ShownEvent[] {
  // The page's heading names the run already.
  return detailedRows({ kind: "bot", name }, event, beside)
    .slice(0, mostEvents)
    .map((row) => shownEvent(kind, event, row));
}

function shownEvent(kind: StreamId["kind"], event: Event, row: LogRow): ShownEvent {
  const { type, at, by, name, client } = event;
  const place = "workflow" in event ? { workflow: cutLine(event.workflow) } : {};
  const step = "step" in event && event.step !== undefined ? { step: cutLine(event.step) } : {};
  const attempt = "attempt" in event && event.attempt !== undefined ? { attempt: event.attempt } : {};
  const what = eventText(row) || type;
  const details = rowDetails(row).map(({ text }) => cutLine(text, 300));
  return {
    ...{ type, at },
    text: cutLine([kind === "session" ? what.replace("switched to", "viewed") : what, ...details].join(" · "), 700),
    tone: toneOf(row, what),
    by: cutLine(name ?? by, 60),
    ...(client === undefined ? {} : { client: cutLine(client, 60) }),
    ...place,
    ...step,
    ...attempt,
  };
}

function toneOf(row: LogRow, what: string): ShownEvent["tone"] {
  if (what === "refused" || what === "rejected" || row.status === "failed") return "bad";
  if (typeof row.mark === "string" || Array.isArray(row.changes)) return "warn";
  if (what === "completed" || what === "approved") return "good";
  const isWaiting = what === "submitted" && "digest" in row;
  return isWaiting || what.startsWith("state") || what === "started over" || what === "accepted" ? "warn" : "plain";
}
