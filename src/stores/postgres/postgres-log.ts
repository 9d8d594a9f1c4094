import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type {
  AppendResult,
  ContentToSave,
  EventLog,
  LoadedStream,
  StoredRecord,
} from "../../engine/ports/event-log.ts";
import { once } from "../../kit/once.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { type JournalLine, timeOfWrite, toLine } from "../chain/journal-record.ts";
import { takenMessage } from "../content/content-rules.ts";
import type { Store } from "../store.ts";
import { streamKey } from "../stream-key.ts";
import { auditRows } from "./audit-rows.ts";
import type { Row, Value } from "./database.ts";
import { followArea } from "./follow-database.ts";
import type { HistoryWitness } from "./history-witness.ts";
import {
  extendKnown,
  fromSnapshot,
  type KnownStream,
  recordAfter,
  snapshotFormat,
  toSnapshot,
  unknownStream,
} from "./known-stream.ts";
import { logStatements } from "./log-statements.ts";
import { changedCallers } from "./open-callers.ts";
import { savingValues } from "./saving-statements.ts";
import {
  areaValues,
  changeNotice,
  keysThatBegin,
  type StoreLocation,
  streamOfKey,
  streamValues,
} from "./store-location.ts";

/** The most streams cached. */
const mostKnown = 500;

/** The records read at once. */
const atOnce = 500;

/** The number of new records after which a snapshot is saved: opening reads at most these. */
const betweenSnapshots = 32;

/**
 * The histories of one area of a project in PostgreSQL. Memory holds only copies, trusted while their last record is in the database;
 * what cannot be recorded is refused with `Unavailable`.
 */
export function postgresLog(place: StoreLocation): EventLog & Required<Pick<Store, "openFor">> {
  const { database } = place;
  const statements = logStatements(database.schema);
  /** Cached streams, ordered by last use. */
  const known = new Map<string, KnownStream>();
  const follows = new Set<() => void>();
  /** Streams read from the start and not yet compared with what this machine has seen. */
  const unproved = new Set<string>();
  const witnessHere = once(async (): Promise<HistoryWitness | undefined> => place.witness?.(await place.area()));

  function remember(id: StreamId, now: KnownStream): KnownStream {
    const key = streamKey(id);
    known.delete(key);
    known.set(key, now);
    const [oldest] = known.size > mostKnown ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    if (now.seq - now.saved < betweenSnapshots) return now;
    const saved = { ...now, saved: now.seq };
    known.set(key, saved);
    void save(id, now).catch(() => undefined); // a shortcut for the next reader; failing is harmless
    return saved;
  }

  async function save(id: StreamId, now: KnownStream): Promise<void> {
    const values = [...(await streamValues(place, id)), now.seq, now.head, snapshotFormat, toSnapshot(now)];
    await database.run(statements.save, values);
  }

  async function hashAt(id: StreamId, seq: number): Promise<string | undefined> {
    const [row] = await database.run(statements.hashAt, [...(await streamValues(place, id)), seq]);
    return row === undefined ? undefined : String(row.hash);
  }

  async function begin(id: StreamId): Promise<KnownStream> {
    const [row] = await database.run(statements.snapshot, [...(await streamValues(place, id)), snapshotFormat]);
    return (row && fromSnapshot(row)) ?? unknownStream;
  }

  /** Reads new records; from the beginning if the last known one is gone. */
  async function catchUp(id: StreamId): Promise<KnownStream> {
    const before = known.get(streamKey(id));
    if (before === undefined) unproved.add(streamKey(id));
    let now = before ?? (await begin(id));
    const values = await streamValues(place, id);
    for (;;) {
      const rows = await database.run(statements.since, [...values, now.seq, atOnce]);
      const isStillThere = now.seq === 0 || (rows[0]?.seq === now.seq && rows[0].hash === now.head);
      if (!isStillThere) {
        unproved.add(streamKey(id));
        now = unknownStream; // another history is there: a restored backup, or a standby that was behind
        continue;
      }
      const fresh: StoredRecord[] = [];
      for (const row of now.seq === 0 ? rows : rows.slice(1)) {
        const before = fresh.at(-1) ?? { hash: now.head, seq: now.seq };
        fresh.push(recordAfter(before.hash, before.seq, row, streamName(id)));
      }
      now = extendKnown(now, fresh);
      for (const { events } of fresh) (await witnessHere())?.heard(id, events);
      if (rows.length < atOnce) return remember(id, now);
    }
  }

  async function loaded(id: StreamId, { seq, head, stream }: KnownStream): Promise<LoadedStream> {
    const isProved = !unproved.delete(streamKey(id));
    const warnings = (await (await witnessHere())?.saw(id, { seq, head }, isProved, (at) => hashAt(id, at))) ?? [];
    return { seen: seq, head, stream, warnings };
  }

  /**
   * Appends a record with all that belongs to it, or nothing; "behind" if another took its number. Sent again after a lost answer, it
   * finds itself.
   */
  async function put(
    values: readonly Value[],
    line: JournalLine,
    moved: ChangedCallers,
    saving?: ContentToSave,
  ): Promise<AppendResult> {
    const { record, text, hash } = line;
    const { seq, prev, op, at = "" } = record;
    const given = [...values, seq, hash, prev, op, at, text];
    const moves = [JSON.stringify(moved?.came ?? []), JSON.stringify(moved?.went ?? [])];
    const [added] =
      saving !== undefined
        ? await database.run(statements.appendSaving, [...given, ...moves, ...savingValues(saving)])
        : moved === undefined
          ? await database.run(statements.append, given)
          : await database.run(statements.appendMove, [...given, ...moves]);
    const saved = saving === undefined ? {} : { saved: takenPaths(added?.taken).map(takenMessage) };
    if (added !== undefined) return { status: "recorded", warnings: [], ...saved };
    const [status] = await database.run(statements.hashAt, [...values, seq]);
    if (status?.hash !== hash) return { status: "behind", warnings: [] };
    await database.run(statements.makeSure, []);
    return { status: "recorded", warnings: [], ...saved };
  }

  async function append(
    id: StreamId,
    seen: number,
    line: JournalLine,
    now: KnownStream,
    saving?: ContentToSave,
  ): Promise<AppendResult> {
    const values = await streamValues(place, id);
    const { record, hash, text } = line;
    const after = extendKnown(now, [{ seq: record.seq, hash, text, events: record.events }]);
    const appended = await put(values, line, changedCallers(now.stream, after.stream), saving);
    if (appended.status === "behind") {
      await wait(Math.random() * apart);
      return appended;
    }
    const isNewest = (known.get(streamKey(id))?.seq ?? 0) <= seen;
    if (isNewest) remember(id, after);
    const seeing = await witnessHere();
    seeing?.heard(id, record.events);
    if (isNewest && !unproved.has(streamKey(id))) seeing?.remember(id, after);
    database.tell(changeNotice(values));
    return appended;
  }

  return {
    async streams(kind, begins) {
      const values = await areaValues(place);
      if (kind !== undefined) {
        const ours = await database.run(statements.streamsBetween, [...values, ...keysThatBegin(kind, begins)]);
        return ours.map(({ desk: stream }) => streamOfKey(String(stream)));
      }
      const all = (await database.run(statements.desks, values)).map(({ desk: stream }) => streamOfKey(String(stream)));
      return [...all, ...((await (await witnessHere())?.streamsExcept(all)) ?? [])]; // listing everything also looks for what is gone
    },
    async latest(kind, most) {
      const values = [...(await areaValues(place)), kind, most];
      return (await database.run(statements.latest, values)).map(({ desk: stream }) => streamOfKey(String(stream)));
    },
    async count(kind, most) {
      const values = [...(await areaValues(place)), ...keysThatBegin(kind), most];
      const [row] = await database.run(statements.count, values);
      return Number(row?.count ?? 0);
    },
    has: async (id) => (await database.run(statements.has, await streamValues(place, id))).length > 0,
    load: async (id) => loaded(id, await catchUp(id)),
    async openFor(caller, bot) {
      const asked = [...(await areaValues(place)), caller, streamKey({ kind: "bot", name: bot })];
      const rows = await database.run(statements.standing, asked);
      const found = rows.map(async ({ desk: stream, seq, hash }) => {
        const id = streamOfKey(String(stream));
        if (id.kind !== "bot" || id.name !== bot) return [];
        const mine = known.get(streamKey(id));
        const isNewest = mine !== undefined && mine.seq === (seq ?? 0) && mine.head === (hash ?? unknownStream.head);
        return [{ id, loaded: await loaded(id, isNewest ? mine : await catchUp(id)) }];
      });
      return (await Promise.all(found)).flat();
    },
    async append(id, seen, events, { answers, saving }) {
      const mine = known.get(streamKey(id));
      const now = mine?.seq === seen && events.length > 0 ? mine : await catchUp(id);
      if (now.seq !== seen) return { status: "behind", warnings: [] };
      if (events.length === 0) return { status: "recorded", warnings: [] };
      const line = toLine({
        seq: seen + 1,
        prev: now.head,
        op: randomUUID(),
        ...(seen === 0 ? { of: streamName(id) } : {}),
        ...timeOfWrite(events),
        ...(answers === undefined ? {} : { saw: answers }),
        events,
      });
      return append(id, seen, line, now, saving);
    },
    async *records(id, from = 0) {
      const values = await streamValues(place, id);
      let { seq, head } = unknownStream;
      if (from > 0) {
        const [last] = await database.run(statements.hashAt, [...values, from]);
        if (last === undefined) return;
        [seq, head] = [from, String(last.hash)];
      }
      for (;;) {
        const rows = await database.run(statements.all, [...values, seq, atOnce]);
        for (const row of rows) {
          const record = recordAfter(head, seq, row, streamName(id));
          [seq, head] = [record.seq, record.hash];
          yield record;
        }
        if (rows.length < atOnce) return;
      }
    },
    watch(id, changed) {
      const stop = follow(place, statements.last, id, changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    follow(changed) {
      const stop = followArea(place, statements, changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    async audit(id) {
      const audited = await auditRows(place, statements, id);
      return (await (await witnessHere())?.audit(id, audited)) ?? audited;
    },
    hasUnwritten: () => false,
    close() {
      for (const stop of follows) stop();
      follows.clear();
    },
  };
}

type ChangedCallers = ReturnType<typeof changedCallers>;

function takenPaths(json: Row[string] | undefined): readonly string[] {
  return JSON.parse(String(json ?? "[]"));
}

/** The spread in milliseconds of retries by writers that were too late. */
const apart = 8;

/** Calls `changed` whenever the head of a stream changes: by notification, and by polling for missed ones. */
function follow(place: StoreLocation, last: string, id: StreamId, changed: () => void): () => void {
  const { database } = place;
  let seen: Promise<number> | undefined;
  let isStopped = false;
  const numberOf = async (): Promise<number> => {
    const [row] = await database.run(last, await streamValues(place, id));
    return Number(row?.seq ?? 0);
  };
  async function look(): Promise<void> {
    const before = await (seen ?? 0);
    const now = numberOf();
    seen = now.catch(() => before);
    if ((await now) !== before && !isStopped) changed();
  }
  seen = numberOf().catch(() => 0);
  // It may have changed since the follower last looked.
  void seen.then((now) => {
    if (now > 0 && !isStopped) changed();
  });
  const mine = once(async () => changeNotice(await streamValues(place, id)));
  const hear = async (told: string | undefined): Promise<void> => {
    if (!isStopped && (told === undefined || told === (await mine()))) await look();
  };
  const stop = database.listen((told) => void hear(told).catch(() => undefined)); // polled again soon
  return () => {
    isStopped = true;
    stop();
  };
}
