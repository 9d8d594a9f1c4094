import type { OpenedWorkplace } from "../compose.ts";
import { type LogRow, logRows } from "../overview/log-row.ts";
import { matters } from "./log-choice.ts";

/** The last rows of the log that matter, over all histories, the newest at the end. */
export async function latestRows(workplace: OpenedWorkplace, most: number): Promise<readonly LogRow[]> {
  const rows: LogRow[] = [];
  for (const { log } of await workplace.logs())
    for (const id of await log.desks()) {
      const { seen } = await log.look(id);
      for await (const { events } of log.records(id, Math.max(0, seen - most)))
        for (const event of events) rows.push(...logRows(id.name, event).filter(matters));
    }
  return rows.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)).slice(-most);
}
