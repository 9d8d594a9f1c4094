import { setTimeout as wait } from "node:timers/promises";
import { type AuditedArea, auditStreams, listProblems } from "../../audit/audit-streams.ts";
import { markEvents } from "../../audit/event-marks.ts";
import { forkedRecordsOf } from "../../audit/forked-records.ts";
import { detailedRows, rowDetailsFinder } from "../../dashboard/overview/detailed-rows.ts";
import type { LogRow } from "../../dashboard/overview/log-row.ts";
import type { EventLog } from "../../engine/ports/event-log.ts";
import { forkedText } from "../../messages/notices.ts";
import type { Event } from "../../workflow/events.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { jsonText, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  type BotOptions,
  parseRunName,
  requireProject,
  unknownRunError,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { terminalSize, wrap } from "../terminal/wrap.ts";
import { isWorthShowing } from "./log-filter.ts";
import { logLine } from "./log-line.ts";

export type LogOptions = BotOptions & {
  readonly behavior?: string;
  readonly action?: string;
  readonly since?: string;
  readonly follow?: true;
  readonly verify?: true;
  readonly all?: true;
};

/** Prints the history, filtered: steps, approvals and outside changes. */
export async function log(options: LogOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSince(options.since, new Date());
  const fits = (row: LogRow): boolean => {
    if (since !== undefined && !(Date.parse(row.timestamp) >= since)) return false;
    return matchesPath(row.behavior, options.behavior) && matchesPath(row.action, options.action);
  };
  const areas = await areasToRead(options);
  if (options.follow) return followLog(areas, options, fits);
  const { streams, missing } = options.verify ? await auditStreams(areas, []) : { streams: [], missing: [] };
  const problems = [...missing.map(({ problem }) => problem), ...streams.flatMap(listProblems)];
  if (problems.length > 0) process.exitCode = 1;
  const readers = (await streamsToRead(areas, options)).map((stream) => logReader(stream, options));
  const warnings: string[] = [];
  for (const { stream } of readers) {
    const { warnings: found, forkedRecords: forked = 0 } = await stream.log.load(stream.id);
    warnings.push(...found, ...(forked === 0 ? [] : [`${streamName(stream.id)}: ${forkedText(forked)}`]));
  }
  const all = await readAll(readers);
  const rows = all.filter(fits);
  for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
  if (options.json) return printJson(rows);
  const chosen = rowsThatFit(rows, options);
  if (chosen.length < rows.length)
    print(paint("dim", `… ${rows.length - chosen.length} rows hidden (show with waymark log --all)`));
  if (rows.length === 0) print(all.length === 0 ? "Nothing is recorded yet." : "No records match.");
  for (const [at, row] of chosen.entries()) print(...logLines(row, rowAbove(chosen[at - 1])));
  if (options.verify && problems.length === 0) print(paint("green", "The chain is intact."));
  for (const problem of problems) print(paint("red", problem));
}

/** Picks the latest rows that fit the terminal; all of them elsewhere or when filtered. */
function rowsThatFit(rows: readonly LogRow[], { all, since, behavior, action, verify }: LogOptions): readonly LogRow[] {
  const { height } = terminalSize();
  if (!Number.isFinite(height) || all || (since ?? behavior ?? action ?? verify) !== undefined) return rows;
  const shown: LogRow[] = [];
  let left = height - 2;
  for (const row of rows.filter(isWorthShowing).toReversed()) {
    left -= logLines(row).length;
    if (left < 0) break;
    shown.unshift(row);
  }
  return shown;
}

/** Formats a row as lines that fit the terminal. */
function logLines(row: LogRow, before?: LogRow): string[] {
  return wrap(logLine(row, before), terminalSize().width, 4);
}

/** Returns the row above on a terminal; elsewhere every line must be complete. */
function rowAbove(before: LogRow | undefined): LogRow | undefined {
  return process.stdout.isTTY ? before : undefined;
}

/** Returns the areas to read, or throws if the named bot or run does not exist. */
async function areasToRead(options: LogOptions): Promise<readonly AuditedArea[]> {
  const workplace = workplaceFor(options);
  await requireProject(workplace, options);
  const areas = await workplace.logs();
  if (options.run !== undefined && (await streamsToRead(areas, options)).length === 0)
    throw unknownRunError(parseRunName(options.run));
  if (options.bot === undefined || (await streamsToRead(areas, options)).length > 0) return areas;
  const { bots } = await workplace.bots();
  if (bots.some(({ name }) => name === options.bot)) return areas;
  const known = bots.map(({ name }) => name).join(", ");
  throw new UserError(`There is no bot ${options.bot} here.${known === "" ? "" : ` Bots: ${known}.`}`);
}

type LoggedStream = { readonly id: StreamId; readonly log: EventLog };

/** Finds the streams to read; sessions belong to no bot and no run. */
async function streamsToRead(
  areas: readonly AuditedArea[],
  { bot, run: written }: LogOptions,
): Promise<readonly LoggedStream[]> {
  const run = parseRunName(written);
  const found: LoggedStream[] = [];
  for (const { log } of areas)
    for (const id of await log.streams())
      if ((bot ?? id.name) === id.name && (run ?? id.run) === id.run) found.push({ id, log });
  return found;
}

/** Reads the new rows of one history each time it is called. */
type Reader = { readonly stream: LoggedStream; rows(): Promise<readonly LogRow[]> };

function logReader(stream: LoggedStream, { verify }: LogOptions): Reader {
  const { id, log } = stream;
  const before: Event[] = [];
  let seen = 0;
  let isForkShown = false;
  const besideOf = rowDetailsFinder();
  return {
    stream,
    async rows() {
      const fresh: Event[] = [];
      const records = new Map<Event, { readonly number: number; readonly hash: string }>();
      for await (const { seq: number, hash, events } of log.records(id, seen)) {
        for (const event of events) {
          fresh.push(event);
          records.set(event, { number, hash });
        }
        seen = number;
      }
      // Marks depend on later and earlier events, so all of them are kept.
      if (verify) for (const event of fresh) before.push(event);
      const marks = verify && fresh.length > 0 ? markEvents(before) : undefined;
      const rows = fresh.flatMap((event) =>
        detailedRows(id, event, { ...besideOf(event), mark: marks?.get(event)?.kind, record: records.get(event) }),
      );
      const showsForked = !isForkShown && (verify || (await hasForkedRecords(stream)));
      const forked = showsForked ? forkedRecordsOf(await log.audit(id)) : [];
      isForkShown = true;
      const others = forked.flatMap(({ events }) =>
        events.flatMap((event) => detailedRows(id, event, { mark: "set aside" })),
      );
      return others.length === 0 ? rows : sortByTime([...rows, ...others]);
    },
  };
}

/** Tells whether a history has forked records, without reading all of it. */
async function hasForkedRecords({ id, log }: LoggedStream): Promise<boolean> {
  return ((await log.load(id)).forkedRecords ?? 0) > 0;
}

async function readAll(readers: readonly Reader[]): Promise<readonly LogRow[]> {
  const found: LogRow[] = [];
  for (const reader of readers) for (const row of await reader.rows()) found.push(row);
  return readers.length === 1 ? found : sortByTime(found);
}

function sortByTime(rows: readonly LogRow[]): readonly LogRow[] {
  return rows.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

/** The milliseconds between looks for new streams. */
const pollMs = 160;

/** Prints the log, then each new row as it is recorded; as JSON, one row per line. */
async function followLog(
  areas: readonly AuditedArea[],
  options: LogOptions,
  fits: (row: LogRow) => boolean,
): Promise<never> {
  const readers = new Map<string, Reader>();
  let wake = (): void => {};
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    for (const [index, area] of areas.entries())
      for (const stream of await streamsToRead([area], options)) {
        const key = JSON.stringify([index, stream.id]);
        if (readers.has(key)) continue;
        readers.set(key, logReader(stream, options));
        stream.log.watch(stream.id, () => wake());
      }
    const fresh = await readAll([...readers.values()]);
    for (const row of fresh.filter(fits)) print(options.json ? jsonText(row) : logLines(row).join("\n"));
    await Promise.race([changed, wait(pollMs)]);
  }
}

/** Matches a bare name or a full path. */
function matchesPath(path: LogRow["action"], wanted: string | undefined): boolean {
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
    throw new UserError(`--since ${text} is not a time. Use 2026-01-31, 2026-01-31T10:00:00Z, 30m, 12h or 7d.`);
  }
  return time;
}
