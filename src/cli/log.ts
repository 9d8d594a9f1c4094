import { UserFault } from "./fault.ts";
import { type LogRow, logLine, logRows } from "./log-row.ts";
import { print, printJson } from "./print.ts";
import { type BotOptions, enginesFor } from "./workplace.ts";

export type LogOptions = BotOptions & { readonly behavior?: string; readonly action?: string; readonly since?: string };

/** Prints the history, filtered: what was started and completed, on whose word, and what came from outside. */
export async function log(options: LogOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSince(options.since, new Date());
  const histories = await Promise.all(
    enginesFor(options).map(async ({ bot, engine }) => (await engine.events()).flatMap((event) => logRows(bot, event))),
  );
  const all =
    histories.length === 1 ? histories.flat() : histories.flat().sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const rows = all.filter((row) => {
    if (since !== undefined && !(Date.parse(row.timestamp) >= since)) return false;
    return isAt(row.behavior, options.behavior) && isAt(row.action, options.action);
  });
  if (options.json) return printJson(rows);
  if (rows.length === 0) print(all.length === 0 ? "Nothing is on record yet." : "Nothing on record that fits.");
  for (const row of rows) print(logLine(row));
}

/** Bare names and full paths are both understood. */
function isAt(path: LogRow["action"], wanted: string | undefined): boolean {
  return wanted === undefined || path === wanted || path?.split(".").at(-1) === wanted;
}

function parseSince(text: string, now: Date): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) {
    const minutes = unit === "m" ? 1 : unit === "h" ? 60 : 1440;
    return now.getTime() - Number(amount) * minutes * 60_000;
  }
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new UserFault(`--since ${text} is not a time. Use 2026-01-31, 2026-01-31T10:00:00Z, 30m, 12h or 7d.`);
  }
  return time;
}
