import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Appended, DeskId, EventLog, Saving, StoredRecord } from "../../engine/ports.ts";
import { once } from "../../evidence/once.ts";
import { type Line, toLine } from "../chain/record.ts";
import { takenMeanwhile } from "../content/readable.ts";
import { deskKey, nameOf } from "../desk-key.ts";
import { auditRows } from "./audit-rows.ts";
import type { Row, Value } from "./database.ts";
import {
  extended,
  fromSnapshot,
  type Known,
  nothingKnown,
  recordAfter,
  snapshotFormat,
  toSnapshot,
} from "./desk-memory.ts";
import { logStatements } from "./log-statements.ts";
import { changeOf, deskOfKey, deskValues, keysThatBegin, placeValues, type StorePlace } from "./place.ts";
import { savingValues } from "./saving.ts";
import { whoMoved } from "./who-stands.ts";
import type { Witness } from "./witness.ts";

/** So many desks are remembered at once. */
const mostKnown = 500;

/** So many records are read at once. */
const atOnce = 500;

/** A desk is saved anew when so many records have been added: whoever opens it reads no more than these. */
const betweenSnapshots = 32;

/**
 * The histories of one area of a project in PostgreSQL. Nothing is held in memory but copies, each believed only where its
 * last record is the one that stands in the database; what cannot be recorded is refused with `Unavailable`.
 */
export function postgresLog(place: StorePlace): EventLog {
  const { database } = place;
  const statements = logStatements(database.schema);
  /** What is known of desks, the one that was used last at the end. */
  const known = new Map<string, Known>();
  const follows = new Set<() => void>();
  /** The desks that were read anew, and not held against what this machine has seen of them. */
  const unproved = new Set<string>();
  const witnessHere = once(async (): Promise<Witness | undefined> => place.witness?.(await place.area()));

  function remember(id: DeskId, now: Known): Known {
    const key = deskKey(id);
    known.delete(key);
    known.set(key, now);
    const [oldest] = known.size > mostKnown ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    if (now.seq - now.saved < betweenSnapshots) return now;
    const saved = { ...now, saved: now.seq };
    known.set(key, saved);
    void save(id, now).catch(() => undefined); // a shorter way for the next one, and nobody's loss
    return saved;
  }

  async function save(id: DeskId, now: Known): Promise<void> {
    const values = [...(await deskValues(place, id)), now.seq, now.head, snapshotFormat, toSnapshot(now)];
    await database.run(statements.save, values);
  }

  async function hashAt(id: DeskId, seq: number): Promise<string | undefined> {
    const [row] = await database.run(statements.hashAt, [...(await deskValues(place, id)), seq]);
    return row === undefined ? undefined : String(row.hash);
  }

  async function begin(id: DeskId): Promise<Known> {
    const [row] = await database.run(statements.snapshot, [...(await deskValues(place, id)), snapshotFormat]);
    return (row && fromSnapshot(row)) ?? nothingKnown;
  }

  /** Reads what was recorded since; from the beginning where the last known record is no longer there. */
  async function catchUp(id: DeskId): Promise<Known> {
    const before = known.get(deskKey(id));
    if (before === undefined) unproved.add(deskKey(id));
    let now = before ?? (await begin(id));
    const values = await deskValues(place, id);
    for (;;) {
      const rows = await database.run(statements.since, [...values, now.seq, atOnce]);
      const isStillThere = now.seq === 0 || (rows[0]?.seq === now.seq && rows[0].hash === now.head);
      if (!isStillThere) {
        unproved.add(deskKey(id));
        now = nothingKnown; // another history stands there: a backup was restored, or a standby took over that was behind
        continue;
      }
      const fresh: StoredRecord[] = [];
      for (const row of now.seq === 0 ? rows : rows.slice(1)) {
        const before = fresh.at(-1) ?? { hash: now.head, seq: now.seq };
        fresh.push(recordAfter(before.hash, before.seq, row, nameOf(id)));
      }
      now = extended(now, fresh);
      for (const { events } of fresh) (await witnessHere())?.heard(id, events);
      if (rows.length < atOnce) return remember(id, now);
    }
  }

  /** Puts a record there, all that goes with it or nothing; `behind` where another has its place. Sent again after a lost answer, it finds itself. */
  async function put(values: readonly Value[], line: Line, moved: Moved, saving?: Saving): Promise<Appended> {
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
    const saved = saving === undefined ? {} : { saved: takenPlaces(added?.taken).map(takenMeanwhile) };
    if (added !== undefined) return { status: "recorded", warnings: [], ...saved };
    const [standing] = await database.run(statements.hashAt, [...values, seq]);
    if (standing?.hash !== hash) return { status: "behind", warnings: [] };
    await database.run(statements.makeSure, []);
    return { status: "recorded", warnings: [], ...saved };
  }

  async function append(id: DeskId, seen: number, line: Line, now: Known, saving?: Saving): Promise<Appended> {
    const values = await deskValues(place, id);
    const { record, hash, text } = line;
    const after = extended(now, [{ seq: record.seq, hash, text, events: record.events }]);
    const appended = await put(values, line, whoMoved(now.desk, after.desk), saving);
    if (appended.status === "behind") {
      await wait(Math.random() * apart);
      return appended;
    }
    const isNewest = (known.get(deskKey(id))?.seq ?? 0) <= seen;
    if (isNewest) remember(id, after);
    const seeing = await witnessHere();
    seeing?.heard(id, record.events);
    if (isNewest && !unproved.has(deskKey(id))) seeing?.remember(id, after);
    database.tell(changeOf(values));
    return appended;
  }

  return {
    async desks(kind, begins) {
      const values = await placeValues(place);
      if (kind !== undefined) {
        const ours = await database.run(statements.desksBetween, [...values, ...keysThatBegin(kind, begins)]);
        return ours.map(({ desk }) => deskOfKey(String(desk)));
      }
      const all = (await database.run(statements.desks, values)).map(({ desk }) => deskOfKey(String(desk)));
      return [...all, ...((await witnessHere())?.desksBut(all) ?? [])]; // whoever asks for all looks for what is gone
    },
    async latest(kind, most) {
      const values = [...(await placeValues(place)), ...keysThatBegin(kind), most];
      return (await database.run(statements.latest, values)).map(({ desk }) => deskOfKey(String(desk)));
    },
    has: async (id) => (await database.run(statements.has, await deskValues(place, id))).length > 0,
    async look(id) {
      const { seq, head, desk } = await catchUp(id);
      const isProved = !unproved.delete(deskKey(id));
      const warnings = (await (await witnessHere())?.saw(id, { seq, head }, isProved, (at) => hashAt(id, at))) ?? [];
      return { seen: seq, head, desk, warnings };
    },
    async append(id, seen, events, { answers, saving }) {
      const mine = known.get(deskKey(id));
      const now = mine?.seq === seen && events.length > 0 ? mine : await catchUp(id);
      if (now.seq !== seen) return { status: "behind", warnings: [] };
      if (events.length === 0) return { status: "recorded", warnings: [] };
      const line = toLine({
        seq: seen + 1,
        prev: now.head,
        op: randomUUID(),
        ...(seen === 0 ? { of: nameOf(id) } : {}),
        at: new Date().toISOString(),
        ...(answers === undefined ? {} : { saw: answers }),
        events,
      });
      return append(id, seen, line, now, saving);
    },
    async *records(id, from = 0) {
      const values = await deskValues(place, id);
      let { seq, head } = nothingKnown;
      if (from > 0) {
        const [last] = await database.run(statements.hashAt, [...values, from]);
        if (last === undefined) return;
        [seq, head] = [from, String(last.hash)];
      }
      for (;;) {
        const rows = await database.run(statements.all, [...values, seq, atOnce]);
        for (const row of rows) {
          const record = recordAfter(head, seq, row, nameOf(id));
          [seq, head] = [record.seq, record.hash];
          yield record;
        }
        if (rows.length < atOnce) return;
      }
    },
    follow(id, changed) {
      const stop = follow(place, statements.last, id, changed);
      follows.add(stop);
      return () => {
        stop();
        follows.delete(stop);
      };
    },
    async audit(id) {
      const audited = await auditRows(place, statements, id);
      return (await witnessHere())?.audit(id, audited) ?? audited;
    },
    owes: () => false,
    close() {
      for (const stop of follows) stop();
      follows.clear();
    },
  };
}

type Moved = ReturnType<typeof whoMoved>;

function takenPlaces(json: Row[string] | undefined): readonly string[] {
  return JSON.parse(String(json ?? "[]"));
}

/** Of several that write at once, those that came too late try again apart from each other, in milliseconds. */
const apart = 8;

/** Calls whenever the last record of a desk is another one: told of by the channel, and looked for where a word may have been missed. */
function follow(place: StorePlace, last: string, id: DeskId, changed: () => void): () => void {
  const { database } = place;
  let seen: Promise<number> | undefined;
  let isStopped = false;
  const numberOf = async (): Promise<number> => {
    const [row] = await database.run(last, await deskValues(place, id));
    return Number(row?.seq ?? 0);
  };
  async function look(): Promise<void> {
    const before = await (seen ?? 0);
    const now = numberOf();
    seen = now.catch(() => before);
    if ((await now) !== before && !isStopped) changed();
  }
  seen = numberOf().catch(() => 0);
  // What stands there may have been recorded since whoever follows has looked.
  void seen.then((now) => {
    if (now > 0 && !isStopped) changed();
  });
  const mine = once(async () => changeOf(await deskValues(place, id)));
  const hear = async (told: string | undefined): Promise<void> => {
    if (!isStopped && (told === undefined || told === (await mine()))) await look();
  };
  const stop = database.listen((told) => void hear(told).catch(() => undefined)); // it is looked for again before long
  return () => {
    isStopped = true;
    stop();
  };
}
