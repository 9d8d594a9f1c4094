import { countsOf } from "../../overview/summary.ts";
import type { LiveEvent, RunRow } from "./board-data.ts";
import type { BoardDesk } from "./desks.ts";
import { atOnce } from "./few-at-once.ts";

/** What keeping rows needs of a board. */
export type KeptParts = {
  desks(): Promise<ReadonlyMap<string, BoardDesk>>;
  /** The row of a run as it is now; undefined where nothing has begun. */
  row(desk: BoardDesk): Promise<RunRow | undefined>;
  /** Names the definitions as they are now: where they are others, every map is. */
  definitions(): Promise<string>;
  whole(): boolean | null;
  /** Hears that something may have been recorded in a history. */
  changed(desk: BoardDesk): void;
  report(fault: unknown): void;
};

/** A run with its row; `changes` grows with everything that may have been recorded. */
export type KeptRow = { readonly desk: BoardDesk; readonly row: RunRow; readonly changes: number };

/** Whoever listens. */
export type Listener = { hear(event: LiveEvent): void; end(): void };

/**
 * The rows of every run, kept up to date: histories are followed as long as somebody listens or has asked lately, and only what has
 * changed is read again. Nothing is followed, and nothing kept, while nobody looks.
 */
export type KeptRows = {
  all(): Promise<readonly KeptRow[]>;
  /** Listens until it is told to stop. */
  listen(listener: Listener): () => void;
  /** Something about a run is another now: its chain, for one. */
  touch(key: string): void;
  close(): void;
};

/** Runs that begin meanwhile are found within this time, in milliseconds. */
const findEvery = 300;
/** What comes within this time is told at once. */
const gather = 30;
/** Everything is looked at again after so long: runs go quiet by themselves, and a hint may be lost. */
const lookEvery = 60_000;
/** So often it is looked whether the definitions are others. */
const definitionsEvery = 2000;
/** So often those who listen hear that nothing has happened. */
const beatEvery = 10_000;
/** Figures of the process are another after a change; a page is told so at most this often. */
const processEvery = 5000;
/** So long after somebody has asked last, histories are followed still. */
const restAfter = 120_000;
/** So many runs are looked at again whenever the list is asked for, whether they are said to have changed or not. */
const few = 40;

/** Begins with nobody looking. */
export function keptRows(parts: KeptParts, clock: () => Date): KeptRows {
  const listeners = new Set<Listener>();
  const tell = (event: LiveEvent): void => {
    for (const listener of listeners) listener.hear(event);
  };
  let following: Following | undefined;
  let resting: NodeJS.Timeout | undefined;
  let isClosed = false;
  const stop = (): void => {
    clearTimeout(resting);
    following?.stop();
    following = undefined;
  };
  const rest = (): void => {
    if (listeners.size === 0) stop();
  };
  const awake = (): Following => {
    clearTimeout(resting);
    resting = setTimeout(rest, restAfter);
    resting.unref();
    following ??= follow(parts, tell, clock);
    return following;
  };
  return {
    async all() {
      try {
        return await awake().all();
      } finally {
        if (isClosed) stop(); // whoever is still answered leaves nothing behind
      }
    },
    listen(listener) {
      listeners.add(listener);
      listener.hear({ type: "hello", at: clock().toISOString() });
      if (isClosed) listener.end();
      else awake();
      return () => {
        listeners.delete(listener);
        if (!isClosed && listeners.size === 0) awake(); // a page that is loaded again finds everything as it was
      };
    },
    touch: (key) => following?.touch(key, true),
    close() {
      isClosed = true;
      for (const listener of [...listeners]) listener.end();
      stop();
    },
  };
}

type Following = { all(): Promise<readonly KeptRow[]>; touch(key: string, isSure: boolean): void; stop(): void };

type Entry = {
  readonly desk: BoardDesk;
  readonly stop: () => void;
  row: RunRow | undefined;
  changes: number;
  isTold: boolean;
};

function follow(parts: KeptParts, tell: (event: LiveEvent) => void, clock: () => Date): Following {
  const entries = new Map<string, Entry>();
  const due = new Set<string>();
  let isStopped = false;
  let reading: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let toldOfProcess = 0;
  const kept = (): KeptRow[] =>
    [...entries.values()].flatMap(({ desk, row, changes }) => (row === undefined ? [] : [{ desk, row, changes }]));

  const touch = (key: string, isSure: boolean): void => {
    const entry = entries.get(key);
    if (entry === undefined || isStopped) return;
    entry.changes += 1;
    if (isSure) entry.isTold = false;
    due.add(key);
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void read();
    }, gather).unref();
  };

  /** Reads what is due, a few runs at a time, until nothing is. */
  function read(): Promise<void> {
    reading ??= Promise.all(Array.from({ length: atOnce }, readSome)).then(() => {
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
    const row = entry && (await parts.row(entry.desk));
    if (entry === undefined || row === undefined || isStopped) return;
    const isSame = entry.isTold && JSON.stringify(row) === JSON.stringify(entry.row);
    Object.assign(entry, { row, isTold: true });
    // At first all of them stand in the list that whoever listens asks for next.
    if (isSame || (isFirst && entry.changes === 0)) return;
    const rows = kept().map((one) => one.row);
    tell({ type: "run", row, counts: countsOf(rows), whole: parts.whole() });
    const now = clock().getTime();
    if (now - toldOfProcess < processEvery) return;
    toldOfProcess = now;
    tell({ type: "process" });
  }

  /** Finds runs that are new or gone. */
  async function find(): Promise<void> {
    const desks = await parts.desks();
    for (const [key, { stop }] of entries) {
      if (desks.has(key)) continue;
      stop();
      entries.delete(key);
      tell({ type: "gone", key });
    }
    for (const [key, desk] of desks) {
      if (entries.has(key) || isStopped) continue;
      const stop = desk.area.log.follow(desk.id, () => {
        parts.changed(desk);
        touch(key, false);
      });
      entries.set(key, { desk, stop, row: undefined, changes: 0, isTold: false });
      due.add(key);
    }
    await read();
  }

  let known = "";
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
    for (const key of entries.keys()) due.add(key);
    await read();
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
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout => {
    const timer = setInterval(() => void inTurn(work).catch(parts.report), ms);
    timer.unref();
    return timer;
  };
  const first = inTurn(find).finally(() => {
    isFirst = false;
  });
  first.catch(() => undefined);
  const timers = [
    every(findEvery, find),
    every(definitionsEvery, lookAtDefinitions),
    every(lookEvery, lookAgain),
    setInterval(() => tell({ type: "beat", at: clock().toISOString() }), beatEvery).unref(),
  ];
  return {
    touch,
    async all() {
      await first.catch(() => undefined);
      // Whoever asks while another waits is answered with the same.
      waiting ??= inTurn(async () => {
        waiting = undefined;
        if (entries.size <= few) for (const key of entries.keys()) due.add(key);
        await find();
      });
      await waiting;
      return kept();
    },
    stop() {
      isStopped = true;
      clearTimeout(gathering);
      for (const timer of timers) clearInterval(timer);
      for (const { stop } of entries.values()) stop();
    },
  };
}
