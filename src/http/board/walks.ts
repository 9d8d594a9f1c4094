import type { StoredRecord } from "../../engine/ports.ts";
import { besideFinder } from "../../overview/log-rows.ts";
import { type Walker, walker } from "../../overview/walk.ts";
import type { RecordWindow, ShownRecord } from "./board-data.ts";
import type { BoardDesk } from "./desks.ts";
import { follows } from "./follows.ts";
import { shownRecord } from "./shown-records.ts";

/** Which records are asked for: so many from a number on, or the last so many before one. */
export type Window = { readonly count: number; readonly from?: number; readonly before?: number };

/** What was read of histories, kept for whoever looks at them again: only what is new is read. */
export type Walks = {
  /** The attempts of a run, with everything recorded so far. */
  walk(desk: BoardDesk): Promise<Pick<Walker, "attempts" | "open">>;
  records(desk: BoardDesk, window: Window): Promise<RecordWindow>;
};

/** So many runs are remembered; of each so many of its newest records as rows. */
const mostRuns = 8;
const mostRecords = 40_000;

/** Begins with nothing read. */
export function walks(): Walks {
  const known = new Map<string, Reading>();
  const read = (desk: BoardDesk): Promise<Reading> => {
    const before = known.get(desk.key);
    const reading = before ?? { so: fresh(), last: Promise.resolve() };
    known.delete(desk.key);
    known.set(desk.key, reading);
    for (const key of [...known.keys()].slice(0, -mostRuns)) known.delete(key);
    reading.last = reading.last.catch(() => undefined).then(() => readOn(desk, reading));
    return reading.last.then(() => reading);
  };
  return {
    walk: async (desk) => (await read(desk)).so.walker,
    async records(desk, window) {
      const { so } = await read(desk);
      const total = so.seen;
      const last = window.before === undefined ? total : Math.min(total, window.before - 1);
      const first = Math.max(1, window.from ?? last - window.count + 1);
      const end = Math.min(last, first + window.count - 1);
      const begin = total - so.records.length + 1;
      if (end < first) return { records: [], total };
      if (first >= begin) return { records: so.records.slice(first - begin, end - begin + 1), total };
      return { records: await readWindow(desk, first, end), total };
    },
  };
}

type Reading = { so: So; last: Promise<void> };

/** What a history has come to, as far as it was read. */
type So = {
  seen: number;
  hash: string;
  readonly walker: Walker;
  readonly besideOf: ReturnType<typeof besideFinder>;
  records: ShownRecord[];
};

function fresh(): So {
  return { seen: 0, hash: "", walker: walker(), besideOf: besideFinder(), records: [] };
}

async function readOn(desk: BoardDesk, reading: Reading): Promise<void> {
  const { id, area } = desk;
  const { seen, head } = await area.log.look(id);
  const { so } = reading;
  if (seen === so.seen && head === so.hash) return;
  let isSame = seen >= so.seen;
  if (isSame)
    for await (const record of area.log.records(id, so.seen)) {
      isSame = follows(record, so.hash);
      if (!isSame) break;
      add(desk, so, record);
    }
  if (isSame && so.seen >= seen) return;
  // Another history stands in its place.
  reading.so = fresh();
  for await (const record of area.log.records(id)) add(desk, reading.so, record);
}

function add({ id }: BoardDesk, so: So, record: StoredRecord): void {
  for (const event of record.events) so.walker.feed(event);
  so.records.push(shownRecord(id, record, so.besideOf));
  if (so.records.length > mostRecords * 1.1) so.records = so.records.slice(-mostRecords);
  so.seen = record.seq;
  so.hash = record.hash;
}

async function readWindow({ id, area }: BoardDesk, first: number, end: number): Promise<readonly ShownRecord[]> {
  const records: ShownRecord[] = [];
  for await (const record of area.log.records(id, first - 1)) {
    if (record.seq > end) break;
    records.push(shownRecord(id, record, () => ({})));
  }
  return records;
}
