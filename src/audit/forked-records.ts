import type { AuditedLog } from "../engine/ports/event-log.ts";
import type { Event } from "../workflow/events.ts";

/** A forked record, its position, and what happened in it. */
export type ForkedRecords = {
  readonly line: number;
  readonly offset: number;
  readonly seq: number;
  readonly hash: string;
  /** Set once a person has accepted the side that counts. */
  readonly accepted?: true;
  readonly events: readonly Event[];
  readonly happened: readonly string[];
};

/** The records that git merged in from another branch and that do not count, though a person was told they did. */
export function forkedRecordsOf({ lines }: AuditedLog): readonly ForkedRecords[] {
  return lines.flatMap((one) => {
    if (one.kind !== "aside" && one.kind !== "accepted") return [];
    const { line, offset, hash, record } = one;
    const { seq, events } = record;
    const accepted = one.kind === "accepted" ? { accepted: true as const } : {};
    return [{ line, offset, seq, hash, ...accepted, events, happened: events.map(describeEvent) }];
  });
}

/** Describes an event: what happened, to which step, when and by whom. */
function describeEvent(event: Event): string {
  const { type, at, by, client, name } = event;
  const who = [name, client].flatMap((one) => one ?? []).join(" through ");
  return [type.replaceAll("_", " "), stepPathOf(event), `on ${at}`, `by ${who === "" ? by : who}`]
    .filter((part) => part !== "")
    .join(" ");
}

function stepPathOf(event: Event): string {
  if (!("workflow" in event)) return "";
  return "step" in event && event.step !== undefined ? `${event.workflow}.${event.step}` : event.workflow;
}
