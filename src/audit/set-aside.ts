import type { AuditedLog } from "../engine/ports.ts";
import type { Event } from "../workflow/events.ts";

/** A record of another side of a history, where it stands, and what happened in it, in words. */
export type SetAside = {
  readonly line: number;
  readonly offset: number;
  readonly seq: number;
  readonly hash: string;
  /** A person has taken the side that counts. */
  readonly accepted?: true;
  readonly events: readonly Event[];
  readonly happened: readonly string[];
};

/** The records that git has brought into a history from another branch: somebody was told that they count, and they do not. */
export function setAsideOf({ lines }: AuditedLog): readonly SetAside[] {
  return lines.flatMap((one) => {
    if (one.kind !== "aside" && one.kind !== "accepted") return [];
    const { line, offset, hash, record } = one;
    const { seq, events } = record;
    const accepted = one.kind === "accepted" ? { accepted: true as const } : {};
    return [{ line, offset, seq, hash, ...accepted, events, happened: events.map(happening) }];
  });
}

/** What happened, to which step, when, and by whom. */
function happening(event: Event): string {
  const { type, at, by, client, name } = event;
  const who = [name, client].flatMap((one) => one ?? []).join(" through ");
  return [type.replaceAll("_", " "), placeOf(event), `on ${at}`, `by ${who === "" ? by : who}`]
    .filter((part) => part !== "")
    .join(" ");
}

function placeOf(event: Event): string {
  if (!("workflow" in event)) return "";
  return "step" in event && event.step !== undefined ? `${event.workflow}.${event.step}` : event.workflow;
}
