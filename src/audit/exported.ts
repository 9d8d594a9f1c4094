import type { Event } from "../workflow/events.ts";
import { type AuditedDesk, problemsOf } from "./audit.ts";
import { claimFinder } from "./claims.ts";
import { markEvents } from "./event-marks.ts";
import { setAsideOf } from "./set-aside.ts";

/** A history with its audit, as data for whoever it is shown to. */
export function exportedDesk(audited: AuditedDesk, events: readonly Event[]): object {
  const { name, kind, run, journal, files } = audited;
  const problems = problemsOf(audited);
  const { records, head, breaks, place } = journal;
  const aside = setAsideOf(journal);
  const marks = markEvents(events);
  const claimsAt = claimFinder();
  return {
    desk: name,
    kind,
    ...(run === undefined ? {} : { run }),
    journal: place,
    records,
    head,
    whole: problems.length === 0,
    problems,
    breaks,
    set_aside: aside,
    files,
    events: events.map((event) => {
      const claims = claimsAt(event);
      return {
        ...event,
        ...(marks.has(event) ? { mark: marks.get(event) } : {}),
        ...(claims.length === 0 ? {} : { claims }),
      };
    }),
  };
}
