import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { bundled } from "./wire.mjs";

/**
 * Measures the PostgreSQL store on its own server: recording against a bare INSERT of the same bytes, turn by turn
 * in one run; the same with 10 and 10,000 streams, and with 10 and 100,000 records in one stream; opening a stream with a saved copy.
 */
const folder = mkdtempSync(join(tmpdir(), "waymark-bench-"));
const isQuick = process.argv.includes("--quick");
const most = isQuick ? { streams: 1000, records: 10_000 } : { streams: 10_000, records: 100_000 };
const { openDatabase, postgresStore, startedExample, toLine } = await bundled(
  `export { openDatabase } from "./src/stores/postgres/database.ts";
  export { postgresStore } from "./src/stores/postgres/postgres-store.ts";
  export { toLine } from "./src/stores/chain/journal-record.ts";
  export { startedExample } from "./src/testing/example-events.ts";`,
  folder,
);
const server = await startPostgres({ settings: { fsync: "on", autovacuum: "on" } });
await server.start();
const database = openDatabase(server.url, { patience: 60_000 });
const open = (project) => postgresStore({ database, project, area: async () => "" }).log;
const streamOf = (name) => ({ kind: "bot", name });
let number = 0;

async function record(log, id) {
  const { seen } = await log.load(id);
  const began = performance.now();
  const { status } = await log.append(id, seen, [startedExample(number++)], { onFault: "refuse" });
  if (status !== "recorded") throw new Error(status);
  return performance.now() - began;
}

/** Restores a long history without calls: the same ten steps, so that streams differ only in length. */
async function plant(project, name, many) {
  const store = postgresStore({ database, project, area: async () => "" });
  let prev = "0".repeat(64);
  const texts = [];
  for (let seq = 1; seq <= many; seq++) {
    const at = "2026-11-18T00:00:00.000Z";
    const { text, hash } = toLine({ seq, prev, op: `${name}-${seq}`, at, events: [startedExample(seq % 10)] });
    texts.push(text);
    prev = hash;
  }
  await store.transfer.restore(streamOf(name), texts, []);
}

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const rounds = isQuick ? 100 : 400;
const results = [];
const compare = (title, budget, [one, other]) =>
  results.push({ title, budget, ratio: median(other) / median(one), ms: median(other) });

await database.run("create table bare (id bigint generated always as identity primary key, text text not null)", []);
const text = JSON.stringify(startedExample(1)).padEnd(600);
const [bare, ours] = [[], []];
const first = open("first");
for (let round = 0; round < rounds; round++) {
  const began = performance.now();
  await database.run("insert into bare (text) values ($1)", [text]);
  bare.push(performance.now() - began);
  ours.push(await record(first, streamOf("one")));
}
compare("compare-and-append, against a bare INSERT", 1.5, [bare.slice(50), ours.slice(50)]);

for (let count = 0; count < 10; count++) await plant("few", `d${count}`, 1);
for (let count = 0; count < most.streams; count++) await plant("many", `d${count}`, 1);
await plant("short", "d", 10);
await plant("long", "d", most.records);
await database.run("analyze", []);
const [few, many, short, long] = ["few", "many", "short", "long"].map(open);
for (const log of [few, many, short, long]) for (let round = 0; round < 40; round++) await record(log, streamOf("d0"));
for (const log of [short, long]) await log.load(streamOf("d"));
const times = { few: [], many: [], short: [], long: [] };
for (let round = 0; round < rounds; round++) {
  times.few.push(await record(few, streamOf(`d${round % 10}`)));
  times.many.push(await record(many, streamOf(`d${(round * 37) % 1000}`)));
  times.short.push(await record(short, streamOf("d")));
  times.long.push(await record(long, streamOf("d")));
}
compare(`recording with 10 streams, against ${most.streams}`, 1.3, [times.few, times.many]);
compare(`recording at 10 records, against ${most.records}`, 1.3, [times.short, times.long]);

await new Promise((resolve) => setTimeout(resolve, 200)); // the last copies are being saved
const opened = { short: [], long: [] };
for (let round = 0; round < rounds; round++)
  for (const [name, list] of Object.entries(opened)) {
    const began = performance.now();
    await open(name).load(streamOf("d"));
    list.push(performance.now() - began);
  }
compare(`opening a stream of 10 records, against ${most.records}`, 1.3, [opened.short, opened.long]);

await database.close();
await server.dispose();
rmSync(folder, { recursive: true });
let isOver = false;
for (const { title, budget, ratio, ms } of results) {
  isOver ||= ratio > budget;
  console.log(
    `${ratio > budget ? "✗" : "✓"} ${title}: ${ratio.toFixed(2)} × (budget ${budget} ×), p50 ${ms.toFixed(2)} ms`,
  );
}
process.exit(isOver ? 1 : 0);
