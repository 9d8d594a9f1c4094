import { defined } from "../kit/defined.ts";
import type { Event } from "../workflow/events.ts";
import type { AuditedStream } from "./audit-streams.ts";

/** The events of a history that count, and what keeps its completions from being new. */
export type HistorySince = {
  readonly events: readonly Event[];
  /** Finds which completions the base has, and a history that does not name its project; none without a base. */
  oldProblems(completions: readonly Event[], called: (step: string) => string): readonly string[];
};

/** Reads the events of a history that count; `known` are the hashes of the base's records, for a proposal. */
export async function eventsSince(
  { kind, name, run, area, journal, stream }: AuditedStream,
  known: ReadonlySet<string> | undefined,
): Promise<HistorySince> {
  const events: Event[] = [];
  const old = new Set<Event>();
  let isNamed = false;
  for await (const record of area.log.records({ kind, name, ...defined({ run }) }))
    for (const event of record.events) {
      events.push(event);
      if (known?.has(record.hash)) old.add(event);
      if (event.type === "identified" && record.seq === 1) isNamed = true;
    }
  const isNew = journal.first === null || known?.has(journal.first) !== true;
  const origin = (): readonly string[] => {
    if (stream.project === undefined) return ["its history names no project"];
    return isNew && !isNamed ? ["the first record of its history names no project"] : [];
  };
  return {
    events,
    oldProblems: (completions, called) => {
      if (known === undefined) return [];
      const earlier = completions.flatMap((event) =>
        event.type === "completed" && old.has(event) ? [called(event.step)] : [],
      );
      const isOld = earlier.length > 0 ? [`${earlier.join(", ")}: completed before this change, in the base`] : [];
      return [...origin(), ...isOld];
    },
  };
}
