import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { type LogRow, logRows } from "../../dashboard/overview/log-row.ts";
import { isWorthShowing } from "./log-filter.ts";

/** Loads the latest rows worth showing over all histories, newest last. */
export async function latestRows(workplace: OpenedWorkplace, most: number): Promise<readonly LogRow[]> {
  const rows: LogRow[] = [];
  for (const { log } of await workplace.logs())
    for (const id of await log.streams()) {
      const { seen } = await log.load(id);
      for await (const { events } of log.records(id, Math.max(0, seen - most)))
        for (const event of events) rows.push(...logRows(id.name, event).filter(isWorthShowing));
    }
  return rows.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)).slice(-most);
}
