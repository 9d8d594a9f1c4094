import type { StoredRecord } from "../../engine/ports/event-log.ts";
import { rowDetailsFinder } from "../overview/detailed-rows.ts";
import { followWalk, type WalkFollower } from "../overview/walk.ts";
import type { RecordWindow, ShownRecord } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import { continuesFrom } from "./continues-from.ts";
import { shownRecord } from "./shown-records.ts";

/** The requested records: a count from a position on, or before one. */
export type RecordRange = { readonly count: number; readonly from?: number; readonly before?: number };

/** Caches what was read of histories, so that only new records are read. */
export type HistoryCache = {
  /** Loads the attempts of a run. */
  walk(stream: BoardRun): Promise<Pick<WalkFollower, "attempts" | "open">>;
  records(stream: BoardRun, window: RecordRange): Promise<RecordWindow>;
};

/** The number of runs cached, and of their latest records. */
const mostRuns = 8;
const mostRecords = 40_000;

/** Creates an empty cache. */
export function historyCache(): HistoryCache {
  const known = new Map<string, CachedHistory>();
  const read = (stream: BoardRun): Promise<CachedHistory> => {
    const before = known.get(stream.key);
    const reading = before ?? { state: emptyState(), last: Promise.resolve() };
    known.delete(stream.key);
    known.set(stream.key, reading);
    for (const key of [...known.keys()].slice(0, -mostRuns)) known.delete(key);
    reading.last = reading.last.catch(() => undefined).then(() => readNewRecords(stream, reading));
    return reading.last.then(() => reading);
  };
  return {
    walk: async (stream) => (await read(stream)).state.walker,
    async records(stream, window) {
      const { state } = await read(stream);
      const total = state.seen;
      const last = window.before === undefined ? total : Math.min(total, window.before - 1);
      const first = Math.max(1, window.from ?? last - window.count + 1);
      const end = Math.min(last, first + window.count - 1);
      const begin = total - state.records.length + 1;
      if (end < first) return { records: [], total };
      if (first >= begin) return { records: state.records.slice(first - begin, end - begin + 1), total };
      return { records: await readWindow(stream, first, end), total };
    },
  };
}

type CachedHistory = { state: HistoryState; last: Promise<void> };

/** The state of a history as far as it was read. */
type HistoryState = {
  seen: number;
  hash: string;
  readonly walker: WalkFollower;
  readonly besideOf: ReturnType<typeof rowDetailsFinder>;
  records: ShownRecord[];
};

function emptyState(): HistoryState {
  return { seen: 0, hash: "", walker: followWalk(), besideOf: rowDetailsFinder(), records: [] };
}

async function readNewRecords(stream: BoardRun, reading: CachedHistory): Promise<void> {
  const { id, area } = stream;
  const { seen, head } = await area.log.load(id);
  const { state } = reading;
  if (seen === state.seen && head === state.hash) return;
  let isSame = seen >= state.seen;
  if (isSame)
    for await (const record of area.log.records(id, state.seen)) {
      isSame = continuesFrom(record, state.hash);
      if (!isSame) break;
      add(stream, state, record);
    }
  if (isSame && state.seen >= seen) return;
  // The history was replaced.
  reading.state = emptyState();
  for await (const record of area.log.records(id)) add(stream, reading.state, record);
}

function add({ id }: BoardRun, so: HistoryState, record: StoredRecord): void {
  for (const event of record.events) so.walker.feed(event);
  so.records.push(shownRecord(id, record, so.besideOf));
  if (so.records.length > mostRecords * 1.1) so.records = so.records.slice(-mostRecords);
  so.seen = record.seq;
  so.hash = record.hash;
}

async function readWindow({ id, area }: BoardRun, first: number, end: number): Promise<readonly ShownRecord[]> {
  const records: ShownRecord[] = [];
  for await (const record of area.log.records(id, first - 1)) {
    if (record.seq > end) break;
    records.push(shownRecord(id, record, () => ({})));
  }
  return records;
}
