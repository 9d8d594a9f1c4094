import { quietAfter } from "../overview/run-row.ts";
import type { RunRow } from "../overview/run-row-data.ts";
import type { LiveEvent } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import { type CachedRow, type Entry, keptRows } from "./kept-rows.ts";
import type { ListedRuns } from "./listed-runs.ts";
import { concurrency, mapFew } from "./map-few.ts";

/** The dependencies of the row cache. */
export type RowCacheDeps = {
  streams(): Promise<ReadonlyMap<string, BoardRun>>;
  /** The most recently changed runs, if the store knows them without listing all. */
  newest(most: number): Promise<readonly BoardRun[] | undefined>;
  /** Calls back with the runs that changed, until stopped. */
  follow(changed: (runs: readonly BoardRun[]) => void): Promise<() => void>;
  /** Loads the row of a run, or undefined if it has not started. */
  row(stream: BoardRun): Promise<RunRow | undefined>;
  /** Returns the version of the definitions, which changes every map. */
  definitions(): Promise<string>;
  whole(): boolean | null;
  /** Called when something may have been recorded in a history. */
  changed(stream: BoardRun): void;
  report(fault: unknown): void;
};

/** A receiver of live events. */
export type LiveListener = { hear(event: LiveEvent): void; end(): void };

/**
 * Keeps the rows of all runs up to date, reading only what changed; follows histories only while someone listens or has asked recently.
 */
export type RowCache = {
  /** All rows, latest change first; the same list as long as nothing has changed. */
  all(): Promise<readonly CachedRow[]>;
  /** The row of a run, if it is known by now. */
  row(key: string): CachedRow | undefined;
  /** The runs known by now, at least so many of the most recently changed ones; `isWhole` once all are. */
  newest(most: number): Promise<{ readonly listed: ListedRuns; readonly count: number; readonly isWhole: boolean }>;
  /** Listens until the returned function is called. */
  listen(listener: LiveListener): () => void;
  /** Marks a run as changed, for example its chain. */
  touch(key: string): void;
  close(): void;
};

/** The milliseconds within which changes are sent together. */
const gatherMs = 30;
/** The milliseconds between looks at what changes without a record: runs go quiet, or are gone. */
const refreshMs = 60_000;
/** The milliseconds between looks at the definitions. */
const definitionsEvery = 2000;
/** The milliseconds between beats to listeners. */
const beatMs = 10_000;
/** The least milliseconds between two process events. */
const processEvery = 5000;
/** The milliseconds for which histories are followed after the last request. */
const idleAfterMs = 30_000;
/** The number of recent runs that are looked at first after a pause. */
const firstLook = 50;
/** The number of runs that are listed and refreshed again on every request. */
const refreshAlways = 40;

/** Creates an idle cache. */
export function rowCache(parts: RowCacheDeps, clock: () => Date): RowCache {
  const listeners = new Set<LiveListener>();
  const tell = (event: LiveEvent): void => {
    for (const listener of listeners) listener.hear(event);
  };
  let following: Following | undefined;
  /** The rows as they were when histories were last followed: only what changed since is read again. */
  let known = nothingKnown;
  let resting: NodeJS.Timeout | undefined;
  let isClosed = false;
  const stop = (): void => {
    clearTimeout(resting);
    known = following?.stop() ?? known;
    following = undefined;
  };
  const rest = (): void => {
    if (listeners.size === 0) stop();
  };
  const awake = (): Following => {
    clearTimeout(resting);
    resting = setTimeout(rest, idleAfterMs);
    resting.unref();
    following ??= follow(parts, tell, clock, known);
    return following;
  };
  /** Late requests must not leave it open. */
  const stopLate = <T>(answer: Promise<T>): Promise<T> =>
    answer.finally(() => {
      if (isClosed) stop();
    });
  return {
    all: () => stopLate(awake().all()),
    newest: (most) => stopLate(awake().newest(most)),
    row: (key) => following?.row(key),
    listen(listener) {
      listeners.add(listener);
      listener.hear({ type: "hello", at: clock().toISOString() });
      if (isClosed) listener.end();
      else awake();
      return () => {
        listeners.delete(listener);
        if (!isClosed && listeners.size === 0) awake(); // a reloaded page finds a warm cache
      };
    },
    touch: (key) => following?.touch(key, true),
    close() {
      isClosed = true;
      for (const listener of [...listeners]) listener.end();
      stop();
      known = nothingKnown;
    },
  };
}

type Following = Pick<RowCache, "all" | "newest" | "row"> & {
  touch(key: string, isSure: boolean): void;
  /** Stops all work; returns what is known. */
  stop(): Known;
};

/** The rows, and the definitions that they were made with. */
type Known = { readonly entries: ReadonlyMap<string, Entry>; readonly definitions: string };

const nothingKnown: Known = { entries: new Map(), definitions: "" };

function follow(parts: RowCacheDeps, tell: (event: LiveEvent) => void, clock: () => Date, before: Known): Following {
  const entries = new Map(before.entries);
  const due = new Set<string>();
  let isStopped = false;
  let reading: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let processSentAt = 0;
  const kept = keptRows(entries);

  const touch = (key: string, isSure: boolean): void => {
    const entry = entries.get(key);
    if (entry === undefined || isStopped) return;
    kept.touch(entry);
    if (isSure) entry.isSent = false;
    due.add(key);
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void read();
    }, gatherMs).unref();
  };

  /** Reads changed runs, a few at a time, until none is left. */
  function read(): Promise<void> {
    reading ??= Promise.all(Array.from({ length: concurrency }, readSome)).then(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readSome(): Promise<void> {
    for (let [key] = due; key !== undefined && !isStopped; [key] = due) {
      due.delete(key);
      await readOne(key).catch(parts.report);
    }
  }

  async function readOne(key: string): Promise<void> {
    const entry = entries.get(key);
    const row = entry && (await parts.row(entry.stream));
    if (entry === undefined || isStopped || entries.get(key) !== entry) return;
    if (row === undefined) return entry.row === undefined ? undefined : remove(key);
    const isSame = entry.isSent && JSON.stringify(row) === JSON.stringify(entry.row);
    kept.put(entry, row);
    entry.isSent = true;
    // New listeners load the whole list next, so first rows are not sent.
    if (isSame || (isFirst && entry.changes === 0)) return;
    tell({ type: "run", row, counts: kept.listed().listed.counts, whole: parts.whole() });
    const now = clock().getTime();
    if (now - processSentAt < processEvery) return;
    processSentAt = now;
    tell({ type: "process" });
  }

  function remove(key: string): void {
    kept.remove(key);
    tell({ type: "gone", key });
  }

  function add(stream: BoardRun): void {
    if (entries.has(stream.key)) return;
    entries.set(stream.key, { stream, row: undefined, changes: 0, isSent: false });
    due.add(stream.key);
  }

  /** Finds runs that are new or gone. */
  async function find(): Promise<void> {
    const streams = await parts.streams();
    for (const key of [...entries.keys()]) if (!streams.has(key)) remove(key);
    if (isStopped) return;
    for (const stream of streams.values()) add(stream);
    await read();
  }

  const stopHearing = parts.follow((runs) => {
    for (const stream of isStopped ? [] : runs) {
      parts.changed(stream);
      add(stream);
      touch(stream.key, false);
    }
  });
  stopHearing.catch(parts.report);

  let known = before.definitions;
  async function lookAtDefinitions(): Promise<void> {
    const now = await parts.definitions();
    const hasChanged = known !== "" && known !== now;
    known = now;
    if (!hasChanged) return;
    for (const key of entries.keys()) due.add(key);
    tell({ type: "process" });
    await read();
  }

  async function lookAgain(): Promise<void> {
    const quietSince = clock().getTime() - quietAfter;
    for (const [key, { row }] of entries)
      if (row?.stands === "working" && Date.parse(row.changed ?? "") < quietSince) due.add(key);
    await find();
  }

  /** Reads the most recent runs before the others; false if the store does not know which they are. */
  async function readNewest(most: number): Promise<boolean> {
    const newest = await parts.newest(most);
    if (newest === undefined) return false;
    const unread = newest.filter(({ key }) => entries.get(key)?.row === undefined);
    for (const stream of unread) add(stream);
    await mapFew(unread, async ({ key }) => {
      due.delete(key);
      await readOne(key).catch(parts.report);
    });
    return true;
  }

  /** Reads again what changed since the rows were last kept up to date: the newest runs, until none of more has changed. */
  async function catchUp(): Promise<void> {
    const looked = new Set<string>();
    for (let most = firstLook; ; most *= 2) {
      const newest = await parts.newest(most);
      if (newest === undefined) return lookAtAll();
      const next = newest.filter(({ key }) => entries.has(key) && !looked.has(key));
      let hasChanged = false;
      await mapFew(next, async ({ key }) => {
        looked.add(key);
        const head = entries.get(key)?.row?.head;
        await readOne(key).catch(parts.report);
        hasChanged ||= head !== entries.get(key)?.row?.head;
      });
      if (!hasChanged) return lookAgain();
    }
  }

  async function lookAtAll(): Promise<void> {
    for (const key of entries.keys()) due.add(key);
    await find();
  }

  let isFirst = true;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(() => (isStopped ? undefined : work()));
    const done = last;
    last = last.catch(() => undefined);
    return done;
  };
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => void inTurn(work).catch(parts.report), ms).unref();
  const first = inTurn(before.entries.size === 0 ? find : catchUp).finally(() => {
    isFirst = false;
  });
  first.catch(() => undefined);
  const timers = [
    every(definitionsEvery, lookAtDefinitions),
    every(refreshMs, lookAgain),
    setInterval(() => tell({ type: "beat", at: clock().toISOString() }), beatMs).unref(),
  ];
  /** Reads what is due; few runs are listed and read again, since that costs nothing. Concurrent requests share one answer. */
  function refresh(): Promise<void> {
    waiting ??= inTurn(async () => {
      waiting = undefined;
      if (entries.size > refreshAlways) return read();
      await lookAtAll();
    });
    return waiting;
  }

  return {
    touch,
    row: kept.row,
    async all() {
      await first.catch(() => undefined);
      await refresh();
      return kept.all();
    },
    async newest(most) {
      if (isFirst && (await readNewest(most)) && isFirst) return { ...kept.listed(), isWhole: false };
      await first.catch(() => undefined);
      await refresh();
      return { ...kept.listed(), isWhole: true };
    },
    stop() {
      isStopped = true;
      clearTimeout(gathering);
      for (const timer of timers) clearInterval(timer);
      void stopHearing.then(
        (stop) => stop(),
        () => undefined,
      );
      return { entries, definitions: known };
    },
  };
}
