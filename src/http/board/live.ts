import { countsOf } from "../../overview/summary.ts";
import type { LiveEvent, RunRow } from "./board-data.ts";
import type { BoardDesk } from "./desks.ts";

/** What the live hub needs of a board. */
export type LiveParts = {
  desks(): Promise<ReadonlyMap<string, BoardDesk>>;
  /** The row of a run as it is now; undefined where nothing has begun. */
  row(desk: BoardDesk): Promise<RunRow | undefined>;
  whole(): boolean | null;
  /** Hears that something may have been recorded in a history. */
  changed(desk: BoardDesk): void;
  report(fault: unknown): void;
};

/** Whoever listens: what it has not been told yet, at most one event for each run. */
export type Listener = { hear(event: LiveEvent): void; end(): void };

/** Tells listeners of what is recorded, by whichever process. Nothing is followed while nobody listens. */
export type Live = {
  /** Listens until it is told to stop. */
  listen(listener: Listener): () => void;
  /** Something about a run is another now: its chain, for one. */
  touch(key: string): void;
  close(): void;
};

/** Runs that begin meanwhile are found within this time, in milliseconds. */
const findEvery = 300;

/** What comes within this time is told at once. */
const gather = 40;

/** Everything is looked at again after so long: runs go quiet by themselves, and a hint may be lost. */
const lookEvery = 60_000;

/** So often those who listen hear that nothing has happened. */
const beatEvery = 10_000;

/** Figures of the process are another after a change; a page is told so at most this often. */
const processEvery = 5_000;

/** Begins with nobody listening. */
export function live(parts: LiveParts, clock: () => Date): Live {
  const listeners = new Set<Listener>();
  let following: Following | undefined;
  const tell = (event: LiveEvent): void => {
    for (const listener of listeners) listener.hear(event);
  };
  return {
    listen(listener) {
      listeners.add(listener);
      listener.hear({ type: "hello", at: clock().toISOString() });
      following ??= follow(parts, tell, clock);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        following?.stop();
        following = undefined;
      };
    },
    touch: (key) => following?.touch(key),
    close() {
      for (const listener of [...listeners]) listener.end();
    },
  };
}

type Following = { touch(key: string): void; stop(): void };

/** Follows every history, and those that begin meanwhile. */
function follow(parts: LiveParts, tell: (event: LiveEvent) => void, clock: () => Date): Following {
  const followed = new Map<string, { readonly desk: BoardDesk; readonly stop: () => void }>();
  const rows = new Map<string, RunRow>();
  const due = new Set<string>();
  let isStopped = false;
  let isTelling = false;
  let isFirst = true;
  let gathering: NodeJS.Timeout | undefined;
  let toldOfProcess = 0;
  const touch = (key: string): void => {
    if (!followed.has(key) || isStopped) return;
    due.add(key);
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void tellAll();
    }, gather);
  };

  async function tellAll(): Promise<void> {
    if (isTelling || isStopped) return;
    isTelling = true;
    try {
      for (let [key] = due; key !== undefined && !isStopped; [key] = due) {
        due.delete(key);
        await tellOf(key).catch(parts.report);
      }
    } finally {
      isTelling = false;
    }
  }

  async function tellOf(key: string): Promise<void> {
    const desk = followed.get(key)?.desk;
    const row = desk && (await parts.row(desk));
    if (row === undefined || isStopped) return;
    rows.set(key, row);
    tell({ type: "run", row, counts: countsOf([...rows.values()]), whole: parts.whole() });
    const now = clock().getTime();
    if (now - toldOfProcess < processEvery) return;
    toldOfProcess = now;
    tell({ type: "process" });
  }

  /** Finds runs that are new or gone. At first all are known to whoever asked for the list. */
  async function find(): Promise<void> {
    const desks = await parts.desks();
    for (const [key, { stop }] of followed) {
      if (desks.has(key)) continue;
      stop();
      followed.delete(key);
      if (rows.delete(key)) tell({ type: "gone", key });
    }
    for (const [key, desk] of desks) {
      if (followed.has(key) || isStopped) continue;
      const stop = desk.area.log.follow(desk.id, () => {
        parts.changed(desk);
        touch(key);
      });
      followed.set(key, { desk, stop });
      if (!isFirst) {
        parts.changed(desk);
        touch(key);
        continue;
      }
      const row = await parts.row(desk);
      if (row !== undefined && !rows.has(key)) rows.set(key, row);
    }
    isFirst = false;
  }

  /** Looks at every run again, and tells of those that stand otherwise. */
  async function lookAgain(): Promise<void> {
    for (const [key, { desk }] of followed) {
      const row = await parts.row(desk);
      if (isStopped) return;
      if (row !== undefined && JSON.stringify(row) !== JSON.stringify(rows.get(key))) touch(key);
    }
  }

  let finding: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    finding = finding.then(() => (isStopped ? undefined : work())).catch(parts.report);
  };
  const timers = [
    setInterval(() => inTurn(find), findEvery),
    setInterval(() => inTurn(lookAgain), lookEvery),
    setInterval(() => tell({ type: "beat", at: clock().toISOString() }), beatEvery),
  ];
  inTurn(find);
  return {
    touch,
    stop() {
      isStopped = true;
      clearTimeout(gathering);
      for (const timer of timers) clearInterval(timer);
      for (const { stop } of followed.values()) stop();
    },
  };
}
