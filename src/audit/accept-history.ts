import { defined } from "../kit/defined.ts";
import type { Event, Stamp } from "../workflow/events.ts";
import { type StreamId, streamName } from "../workflow/stream-id.ts";
import { type Audit, type AuditedArea, forkedInWords } from "./audit-streams.ts";
import { forkedRecordsOf } from "./forked-records.ts";

/** A problem of one history that a person may accept, with the records or histories it is about. */
export type AcceptableProblem = {
  readonly id: StreamId;
  readonly area: AuditedArea;
  readonly what: readonly string[];
  readonly hashes: readonly string[];
};

/** Lists the problems a person may accept; broken chains, mismatched signed heads and changed content are not among them. */
export function listAcceptable({ streams, missing }: Audit): readonly AcceptableProblem[] {
  const all = [
    ...streams.map(({ kind, name, run, journal, area }) => {
      const id: StreamId = { kind, name, ...defined({ run }) };
      return { id, journal, area };
    }),
    ...missing,
  ];
  return all.flatMap(({ id, journal, area }) => {
    const disputes = journal.disputes ?? [];
    const forked = forkedRecordsOf(journal).filter(({ accepted }) => !accepted);
    const what = [...disputes.map(({ text }) => text), ...forked.map((one) => forkedInWords(journal, one))];
    const hashes = [...disputes.flatMap(({ hash }) => hash ?? []), ...forked.map(({ hash }) => hash)];
    return what.length === 0 ? [] : [{ id, area, what, hashes }];
  });
}

/** Records in the history that a person accepted it as it is and publishes it; returns the reason if that fails. */
export async function acceptHistory(
  { id, area, what, hashes }: AcceptableProblem,
  stamp: Stamp,
): Promise<string | undefined> {
  const { log, views } = area;
  for (let round = 0; round < mostRounds; round++) {
    const { seen, stream } = await log.load(id);
    const own = await area.identity?.();
    const isForeign = own !== undefined && "project" in own && stream.project?.id !== own.project;
    const events: readonly Event[] = [
      { type: "accepted", ...stamp, what, hashes },
      ...(isForeign ? [{ type: "identified", ...stamp, project: own.project, later: true } as const] : []),
    ];
    const { status } = await log.append(id, seen, events, { onFault: "refuse" });
    if (status === "behind") continue;
    if (status !== "recorded") return `${streamName(id)}: cannot be recorded now; try again`;
    const { found } = await views.compare(id);
    if (found.kind === "behind") await views.repair(id, { keepAside: true });
    return undefined;
  }
  return `${streamName(id)}: other processes keep writing to it; try again`;
}

const mostRounds = 100;
