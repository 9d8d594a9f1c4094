import { defined } from "../kit/defined.ts";
import type { Event } from "../workflow/events.ts";
import { type AuditedStream, listProblems } from "./audit-streams.ts";
import { claimFinder } from "./claims-and-facts.ts";
import { markEvents } from "./event-marks.ts";
import { forkedRecordsOf } from "./forked-records.ts";

/** Exports a history with its audit as JSON data. */
export function exportStream(audited: AuditedStream, events: readonly Event[]): object {
  const { name, kind, run, journal, files } = audited;
  const problems = listProblems(audited);
  const { records, head, breaks, place } = journal;
  const forked = forkedRecordsOf(journal);
  const marks = markEvents(events);
  const claimsAt = claimFinder();
  return {
    desk: name,
    kind,
    ...defined({ run }),
    journal: place,
    records,
    head,
    whole: problems.length === 0,
    problems,
    breaks,
    set_aside: forked,
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
