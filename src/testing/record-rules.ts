import { deepStrictEqual, match, ok, strictEqual } from "node:assert";
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { EventLog, StoredRecord } from "../engine/ports/event-log.ts";
import { replay } from "../workflow/replay.ts";
import { type StreamId, streamName } from "../workflow/stream-id.ts";
import { append } from "./append-events.ts";
import type { StreamCheck } from "./contract-rule.ts";
import { completedExample, startedExample } from "./example-events.ts";
import type { OpenedLog } from "./opened-log.ts";

async function recordsOf(log: EventLog, id: StreamId, from?: number): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of log.records(id, from)) records.push(record);
  return records;
}

/** Waits until something holds: on a slow machine for long. */
async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 60_000; waited += 5) await wait(5);
}

/** The rules for stored records: reading, following and proving them. */
export const recordRules: readonly StreamCheck<OpenedLog>[] = [
  [
    "each record names the SHA-256 of the text before it, and the last hash is the head",
    async ({ log }, id) => {
      const window = log();
      for (let seen = 0; seen < 5; seen++)
        await append(window, id, seen, [startedExample(seen), completedExample(seen)]);
      for (const reader of [window, log()]) {
        const records = await recordsOf(reader, id);
        deepStrictEqual(
          records.map(({ seq }) => seq),
          [1, 2, 3, 4, 5],
        );
        let before = "0".repeat(64);
        for (const { seq, hash, text, events } of records) {
          const said = JSON.parse(text);
          deepStrictEqual([said.seq, said.prev, said.events], [seq, before, events]);
          strictEqual(createHash("sha256").update(text).digest("hex"), hash);
          before = hash;
        }
        strictEqual((await reader.load(id)).head, before);
      }
    },
  ],
  [
    "a reader that returns gets only new records, and other readers miss none",
    async ({ log }, id) => {
      const [writer, reader] = [log(), log()];
      const all: StoredRecord[] = [];
      for (let seen = 0; seen < 6; seen++) {
        await append(writer, id, seen, [startedExample(seen)]);
        const fresh = await recordsOf(reader, id, seen);
        deepStrictEqual(
          fresh.map(({ seq, events }) => [seq, events]),
          [[seen + 1, [startedExample(seen)]]],
        );
        all.push(...fresh);
        deepStrictEqual(await recordsOf(reader, id), all);
      }
      deepStrictEqual(await recordsOf(reader, id, 6), []);
      deepStrictEqual(await recordsOf(reader, id, 2), all.slice(2));
      for await (const { seq } of reader.records(id)) if (seq === 3) break;
      deepStrictEqual(await recordsOf(reader, id, 3), all.slice(3));
    },
  ],
  [
    "an audit finds every record complete and says where it is stored",
    async ({ log }, id) => {
      const window = log();
      for (let seen = 0; seen < 3; seen++) await append(window, id, seen, [startedExample(seen)]);
      const records = await recordsOf(window, id);
      const audited = await log().audit(id);
      deepStrictEqual([audited.records, audited.seq, audited.breaks, audited.unfinished], [3, 3, [], 0]);
      deepStrictEqual([audited.first, audited.head], [records[0]?.hash, records[2]?.hash]);
      deepStrictEqual([audited.missing, audited.doubts], [undefined, []]);
      deepStrictEqual(
        [...audited.hashes],
        records.map(({ hash, seq }) => [seq, hash]),
      );
      deepStrictEqual([audited.lines, audited.stream], [[], replay(records.flatMap(({ events }) => events))]);
      ok(audited.place !== "");
    },
  ],
  [
    "an audit of a stream without a history reports it as gone",
    async ({ log }, id) => match((await log().audit(id)).missing ?? "", /gone/),
  ],
  [
    "a follower of a stream is notified of every record until it stops",
    async ({ log }, id) => {
      const [writer, follower] = [log(), log()];
      let told = 0;
      const stop = follower.watch(id, () => {
        told += 1;
      });
      for (let seen = 0; seen < 3; seen++) {
        const before = told;
        await append(writer, id, seen, [startedExample(seen)]);
        await until(() => told > before);
        ok(told > before, "no notification of a record arrived");
      }
      await wait(200);
      stop();
      const before = told;
      await append(writer, id, 3, [startedExample(3)]);
      await wait(200);
      strictEqual(told, before);
    },
  ],
  [
    "a follower of everything is told which streams got records, new ones too, until it stops",
    async ({ log }, id) => {
      const [writer, follower] = [log(), log()];
      const others = ["one", "two"].map((name): StreamId => ({ kind: "session", name }));
      await append(writer, id, 0, [startedExample(0)]);
      const told: string[] = [];
      const stop = follower.follow((ids) => told.push(...ids.map(streamName)));
      // what was recorded shortly before may be told too, until the first of them is
      for (const [at, stream] of [...others, id].entries()) {
        const before = told.length;
        await append(writer, stream, stream === id ? 1 : 0, [startedExample(at)]);
        const isTold = (): boolean => told.slice(before).includes(streamName(stream));
        await until(isTold);
        ok(isTold(), `no notification of ${streamName(stream)} arrived`);
      }
      await wait(200);
      ok(!told.includes("session three"));
      stop();
      const before = told.length;
      await append(writer, { kind: "session", name: "three" }, 0, [startedExample(3)]);
      await wait(400);
      strictEqual(told.length, before);
    },
  ],
];
