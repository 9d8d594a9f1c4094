import { auditDesks } from "../compose-audit.ts";
import { markEvents } from "../workflow/event-marks.ts";
import type { Event } from "../workflow/events.ts";
import { UserFault } from "./fault.ts";
import { type Followed, follow } from "./follow.ts";
import { type LogRow, logLine, logRows } from "./log-row.ts";
import { paint, print, printJson } from "./print.ts";
import { problemsOf } from "./verify.ts";
import { type BotOptions, enginesFor, placesFor, workplaceFor } from "./workplace.ts";

export type LogOptions = BotOptions & {
  readonly behavior?: string;
  readonly action?: string;
  readonly since?: string;
  readonly follow?: true;
  readonly verify?: true;
};

/** Prints the history, filtered: what was started and completed, on whose word, and what came from outside. */
export async function log(options: LogOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSince(options.since, new Date());
  const fits = (row: LogRow): boolean => {
    if (since !== undefined && !(Date.parse(row.timestamp) >= since)) return false;
    return isAt(row.behavior, options.behavior) && isAt(row.action, options.action);
  };
  if (options.follow) return followLog(options, fits);
  const problems = options.verify ? auditDesks(placesFor(options), []).flatMap(problemsOf) : [];
  if (problems.length > 0) process.exitCode = 1;
  const source = { engines: enginesFor(options), phased: workplaceFor(options).phased };
  const warnings = await warningsOf(source);
  const all = inOrder(await histories(source, options));
  const rows = all.filter(fits);
  for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
  if (options.json) return printJson(rows);
  if (rows.length === 0) print(all.length === 0 ? "Nothing is on record yet." : "Nothing on record that fits.");
  for (const row of rows) print(logLine(row));
  if (options.verify && problems.length === 0) print(paint("green", "The chain is whole."));
  for (const problem of problems) print(paint("red", problem));
}

/** Prints what there is, then each row as it is recorded, by whatever process; as JSON, one row a line. */
async function followLog(options: LogOptions, fits: (row: LogRow) => boolean): Promise<never> {
  const shown = new Map<string, number>();
  return follow(options, async (source) => {
    const found = await histories(source, options);
    const fresh = inOrder(found.map(({ of, rows }) => ({ of, rows: rows.slice(shown.get(of) ?? 0) })));
    for (const { of, rows } of found) shown.set(of, rows.length);
    for (const row of fresh.filter(fits)) print(options.json ? JSON.stringify(row) : logLine(row));
  });
}

/** What is wrong with the histories: said once, so said here. */
async function warningsOf({ engines, phased }: Followed): Promise<readonly string[]> {
  const standings = await Promise.all(engines.map(({ engine }) => engine.standing()));
  await phased.views();
  return [...standings.flatMap(({ warnings }) => warnings), ...phased.unsaid()];
}

type RowsOf = { readonly of: string; readonly rows: readonly LogRow[] };

async function histories({ engines, phased }: Followed, options: LogOptions): Promise<RowsOf[]> {
  const ofBots = engines.map(async ({ bot, engine }) => ({
    of: bot,
    rows: rowsOf(bot, await engine.events(), options),
  }));
  const ids = options.bot === undefined ? await phased.ids() : [];
  // What was done in the phased sessions stands under the session's id.
  const ofSessions = ids.map(async (id) => ({
    of: `session ${id}`,
    rows: rowsOf(id, await phased.events(id), options).map((row) => ({ ...row, session: id })),
  }));
  return Promise.all([...ofBots, ...ofSessions]);
}

/** The rows of a history; on request each with its mark, where it is more than what it says. */
function rowsOf(desk: string, events: readonly Event[], { verify }: LogOptions): LogRow[] {
  const marks = verify ? markEvents(events) : undefined;
  return events.flatMap((event) => {
    const mark = marks?.get(event);
    return logRows(desk, event).map((row) => (mark === undefined ? row : { ...row, mark: mark.kind }));
  });
}

function inOrder(found: readonly RowsOf[]): LogRow[] {
  const all = found.flatMap(({ rows }) => rows);
  return found.length === 1 ? all : all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
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
