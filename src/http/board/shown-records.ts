import type { DeskId, StoredRecord } from "../../engine/ports.ts";
import type { LogRow } from "../../overview/log-row.ts";
import { type Beside, rowsOf } from "../../overview/log-rows.ts";
import { detailsOf, happened } from "../../overview/log-words.ts";
import type { Event } from "../../workflow/events.ts";
import type { ShownEvent, ShownRecord } from "./board-data.ts";
import { line } from "./cut.ts";

/** A record as a row: each of its events in a line of words, as `waymark log` says it. */
export function shownRecord(
  id: DeskId,
  { seq, hash, events }: StoredRecord,
  besideOf: (event: Event) => Beside,
): ShownRecord {
  return { seq, hash, events: events.slice(0, mostEvents).flatMap((event) => shownEvents(id, event, besideOf(event))) };
}

/** A log that was taken over may hold any number of entries. */
const mostEvents = 50;

function shownEvents({ kind, name }: DeskId, event: Event, beside: Beside): readonly ShownEvent[] {
  // Whose run it is stands above the list.
  return rowsOf({ kind: "bot", name }, event, beside)
    .slice(0, mostEvents)
    .map((row) => shownEvent(kind, event, row));
}

function shownEvent(kind: DeskId["kind"], event: Event, row: LogRow): ShownEvent {
  const { type, at, by, name, client } = event;
  const place = "workflow" in event ? { workflow: line(event.workflow) } : {};
  const step = "step" in event && event.step !== undefined ? { step: line(event.step) } : {};
  const attempt = "attempt" in event && event.attempt !== undefined ? { attempt: event.attempt } : {};
  const what = happened(row) || type;
  const details = detailsOf(row).map(({ text }) => line(text, 300));
  return {
    ...{ type, at },
    text: line([kind === "session" ? what.replace("went there", "looked at") : what, ...details].join(" · "), 700),
    tone: toneOf(row, what),
    by: line(name ?? by, 60),
    ...(client === undefined ? {} : { client: line(client, 60) }),
    ...place,
    ...step,
    ...attempt,
  };
}

function toneOf(row: LogRow, what: string): ShownEvent["tone"] {
  if (what === "refused" || what === "declined" || row.status === "failed") return "bad";
  if (typeof row.mark === "string" || Array.isArray(row.changes)) return "warn";
  if (what === "completed" || what === "approved") return "good";
  const isWaiting = what === "handed in" && "digest" in row;
  return isWaiting || what.startsWith("state") || what === "began anew" || what === "accepted" ? "warn" : "plain";
}
