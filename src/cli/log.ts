import { setTimeout as wait } from "node:timers/promises";
import { type AuditedArea, auditDesks, problemsOf } from "../audit/audit.ts";
import { deskName } from "../audit/desk-name.ts";
import { markEvents } from "../audit/event-marks.ts";
import { setAsideOf } from "../audit/set-aside.ts";
import type { DeskId, EventLog } from "../engine/ports.ts";
import type { LogRow } from "../overview/log-row.ts";
import { besideFinder, rowsOf } from "../overview/log-rows.ts";
import { setAsideText } from "../words/notices.ts";
import type { Event } from "../workflow/events.ts";
import { UserFault } from "./fault.ts";
import { matters } from "./log-choice.ts";
import { logLine } from "./log-line.ts";
import { jsonText, paint, print, printJson } from "./print.ts";
import { type BotOptions, needProject, noRun, runNamed, workplaceFor } from "./workplace.ts";
import { roomHere, wrap } from "./wrap.ts";

export type LogOptions = BotOptions & {
  readonly behavior?: string;
  readonly action?: string;
  readonly since?: string;
  readonly follow?: true;
  readonly verify?: true;
  readonly all?: true;
};

/** Prints the history, filtered: what was started and completed, on whose word, and what came from outside. */
export async function log(options: LogOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSince(options.since, new Date());
  const fits = (row: LogRow): boolean => {
    if (since !== undefined && !(Date.parse(row.timestamp) >= since)) return false;
    return isAt(row.behavior, options.behavior) && isAt(row.action, options.action);
  };
  const areas = await areasFor(options);
  if (options.follow) return followLog(areas, options, fits);
  const { desks, missing } = options.verify ? await auditDesks(areas, []) : { desks: [], missing: [] };
  const problems = [...missing.map(({ problem }) => problem), ...desks.flatMap(problemsOf)];
  if (problems.length > 0) process.exitCode = 1;
  const readers = (await desksOf(areas, options)).map((desk) => readerOf(desk, options));
  const warnings: string[] = [];
  for (const { desk } of readers) {
    const { warnings: found, setAside = 0 } = await desk.log.look(desk.id);
    warnings.push(...found, ...(setAside === 0 ? [] : [`${deskName(desk.id)}: ${setAsideText(setAside)}`]));
  }
  const all = await inOrder(readers);
  const rows = all.filter(fits);
  for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
  if (options.json) return printJson(rows);
  const chosen = screenful(rows, options);
  if (chosen.length < rows.length)
    print(paint("dim", `… ${rows.length - chosen.length} rows not shown: waymark log --all`));
  if (rows.length === 0) print(all.length === 0 ? "Nothing is on record yet." : "Nothing on record that fits.");
  for (const [at, row] of chosen.entries()) print(...logLines(row, beforeHere(chosen[at - 1])));
  if (options.verify && problems.length === 0) print(paint("green", "The chain is whole."));
  for (const problem of problems) print(paint("red", problem));
}

/** On a terminal the last rows that matter, as many as fit; all of them elsewhere, and where some are asked for. */
function screenful(rows: readonly LogRow[], { all, since, behavior, action, verify }: LogOptions): readonly LogRow[] {
  const { height } = roomHere();
  if (!Number.isFinite(height) || all || (since ?? behavior ?? action ?? verify) !== undefined) return rows;
  const shown: LogRow[] = [];
  let left = height - 2;
  for (const row of rows.filter(matters).toReversed()) {
    left -= logLines(row).length;
    if (left < 0) break;
    shown.unshift(row);
  }
  return shown;
}

/** A row in lines that fit the terminal. */
function logLines(row: LogRow, before?: LogRow): string[] {
  return wrap(logLine(row, before), roomHere().width, 4);
}

/** The row above, for a person who reads down a screen; whoever looks for a line elsewhere finds it whole. */
function beforeHere(before: LogRow | undefined): LogRow | undefined {
  return process.stdout.isTTY ? before : undefined;
}

/** The areas of the workplace; a bot that is asked for must be one of its bots, or have a history. */
async function areasFor(options: LogOptions): Promise<readonly AuditedArea[]> {
  const workplace = workplaceFor(options);
  await needProject(workplace, options);
  const areas = await workplace.logs();
  if (options.run !== undefined && (await desksOf(areas, options)).length === 0) throw noRun(runNamed(options.run));
  if (options.bot === undefined || (await desksOf(areas, options)).length > 0) return areas;
  const { bots } = await workplace.bots();
  if (bots.some(({ name }) => name === options.bot)) return areas;
  const known = bots.map(({ name }) => name).join(", ");
  throw new UserFault(`There is no bot ${options.bot} here.${known === "" ? "" : ` There is: ${known}.`}`);
}

type LoggedDesk = { readonly id: DeskId; readonly log: EventLog };

/** The desks whose history is asked for: what was done in sessions belongs to no bot and to no run. */
async function desksOf(
  areas: readonly AuditedArea[],
  { bot, run: written }: LogOptions,
): Promise<readonly LoggedDesk[]> {
  const run = runNamed(written);
  const isOfBots = bot !== undefined || run !== undefined;
  const found: LoggedDesk[] = [];
  for (const { log } of areas)
    for (const id of await log.desks())
      if (!isOfBots || (id.kind === "bot" && (bot ?? id.name) === id.name && (run ?? id.run) === id.run))
        found.push({ id, log });
  return found;
}

/** Reads what is new in one history, each time it is asked. */
type Reader = { readonly desk: LoggedDesk; rows(): Promise<readonly LogRow[]> };

function readerOf(desk: LoggedDesk, { verify }: LogOptions): Reader {
  const { id, log } = desk;
  const before: Event[] = [];
  let seen = 0;
  let isAsideShown = false;
  const besideOf = besideFinder();
  return {
    desk,
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
      // An event is more than what it says by what came after it, and by all that came before.
      if (verify) for (const event of fresh) before.push(event);
      const marks = verify && fresh.length > 0 ? markEvents(before) : undefined;
      const rows = fresh.flatMap((event) =>
        rowsOf(id, event, { ...besideOf(event), mark: marks?.get(event)?.kind, record: records.get(event) }),
      );
      const isAside = !isAsideShown && (verify || (await hasAside(desk)));
      const aside = isAside ? setAsideOf(await log.audit(id)) : [];
      isAsideShown = true;
      const others = aside.flatMap(({ events }) => events.flatMap((event) => rowsOf(id, event, { mark: "set aside" })));
      return others.length === 0 ? rows : inTime([...rows, ...others]);
    },
  };
}

/** All of a history is read again only where there is something beside it. */
async function hasAside({ id, log }: LoggedDesk): Promise<boolean> {
  return ((await log.look(id)).setAside ?? 0) > 0;
}

async function inOrder(readers: readonly Reader[]): Promise<readonly LogRow[]> {
  const found: LogRow[] = [];
  for (const reader of readers) for (const row of await reader.rows()) found.push(row);
  return readers.length === 1 ? found : inTime(found);
}

function inTime(rows: readonly LogRow[]): readonly LogRow[] {
  return rows.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

/** How often it is looked for a desk that was not there before, in milliseconds. */
const pause = 160;

/** Prints what there is, then each row as it is recorded, by whatever process; as JSON, one row a line. */
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
      for (const desk of await desksOf([area], options)) {
        const key = JSON.stringify([index, desk.id]);
        if (readers.has(key)) continue;
        readers.set(key, readerOf(desk, options));
        desk.log.follow(desk.id, () => wake());
      }
    const fresh = await inOrder([...readers.values()]);
    for (const row of fresh.filter(fits)) print(options.json ? jsonText(row) : logLines(row).join("\n"));
    await Promise.race([changed, wait(pause)]);
  }
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
