import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { caller } from "../scripts/team/caller.mjs";
import { startReplica, waymark } from "../scripts/team/replica.mjs";
import { newTally, quantile, walk } from "../scripts/team/walker.mjs";
import { bundled, median, report, timed } from "./wire.mjs";

/**
 * Measures a team's server over HTTP, on its own PostgreSQL with fsync: transitions against a call that does nothing, on
 * the plain SDK, plus one compare-and-append; with 10 and 10,000 streams on record, with 10 and 100,000 records in one stream;
 * all turn by turn in one run. Then 200 clients at once on three replicas.
 */
const isSmall = process.argv.includes("--small");
const [manyStreams, manyRecords] = isSmall ? [1_000, 10_000] : [10_000, 100_000];
const [warmUp, rounds] = isSmall ? [50, 100] : [100, 400];
const home = fileURLToPath(new URL("..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
cpSync(join(home, "examples/demo/project"), root, { recursive: true });
const { openDatabase, postgresStore, toLine } = await bundled(
  `export { openDatabase } from "./src/stores/postgres/database.ts";
  export { postgresStore } from "./src/stores/postgres/postgres-store.ts";
  export { toLine } from "./src/stores/chain/journal-record.ts";`,
  root,
);
const postgres = await startPostgres({ settings: { fsync: "on", autovacuum: "on" } });
await postgres.start();
const database = openDatabase(postgres.url, { patience: 60_000 });
const storeOf = (project) => postgresStore({ database, project, area: async () => "" });
const streamOf = (run) => ({ kind: "bot", name: "story_bot", run });
const env = { ...process.env, WAYMARK_STORE: postgres.url };
const added = ["token", "add", "bench", "--role", "agent", "--root", root, "--json"];
const { token } = JSON.parse(execFileSync(process.execPath, [waymark, ...added], { env }));
const servers = {
  few: await startReplica(root, env, ["--project", "few"]),
  many: await startReplica(root, env, ["--project", "many"]),
};
const bare = await startBare();
const noop = caller(() => bare.url, { era: "modern" });
const [few, many] = Object.values(servers).map(({ url }) => caller(url, { era: "modern", token }));
const older = caller(servers.few.url, { token });

// One pass as the server records it: every history here is made of it.
const pattern = [];
for (let step = 0; step < 5; step++) await act(few, "pattern");
for await (const { events } of storeOf("few").log.records(streamOf("pattern"))) pattern.push(events);
for (let number = 0; number < 7; number++) await plant("few", `d${number}`, 10);
const atOnce = 10;
for (let number = 0; number < manyStreams; number += atOnce)
  await Promise.all(Array.from({ length: atOnce }, (_, index) => plant("many", `d${number + index}`, 10)));
await plant("few", "short", 10);
await plant("few", "long", manyRecords);
await database.run("analyze", []);

const ways = {
  noop: async () => ({ call: await timed(() => noop("noop", {})) }),
  append: async () => ({ record: await record(storeOf("floor").log) }),
  few: (turn) => act(few, `d${turn % 7}`),
  older: (turn) => act(older, `older-${turn % 7}`),
  outputs: (turn) => act(few, `d${turn % 7}`, { outputs: { mark: `${turn}` } }),
  unnamed: () => act(many, "d1", { run: undefined }),
  many: (turn) => act(many, `d${10 + ((turn * 37) % (manyStreams - 10))}`),
  short: () => act(few, "short"),
  long: () => act(few, "long"),
};
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, {}]));
for (let turn = 0; turn < warmUp + rounds; turn++) {
  // by chance, because a call on the server that served the call before is faster
  const all = Object.entries(ways).map(([name, way]) => ({ name, way, at: Math.random() }));
  for (const { name, way } of all.sort((one, other) => one.at - other.at))
    for (const [what, took] of Object.entries(await way(turn)))
      if (turn >= warmUp) times[name][what] = [...(times[name][what] ?? []), took];
}
const [call, append] = [median(times.noop.call), median(times.append.record)];
const ms = (value) => `${value.toFixed(2)} ms`;
const least = `${ms(call)} for a call and ${ms(append)} for an append`;
for (const [title, all] of [
  ["opening an action", times.few.open],
  ["completing it", times.few.complete],
  ["completing it without naming the run", times.unnamed.complete],
  ["opening an action in a session of the 2025 protocols", times.older.open],
  ["completing it there", times.older.complete],
  ["completing it with outputs, whose readable record is kept with it", times.outputs.complete],
])
  report(title, median(all) / (call + append), 2, `${ms(median(all))} against ${least}`);
for (const [title, one, other] of [
  [`${manyStreams.toLocaleString("en")} streams on record, each used now and then, against 10`, times.few, times.many],
  [`${manyRecords.toLocaleString("en")} records in a stream against 10`, times.short, times.long],
])
  for (const what of ["open", "complete"]) {
    const [before, after] = [median(one[what]), median(other[what])];
    report(`${what === "open" ? "opening" : "completing"} with ${title}`, after / before, 1.3, ms(after));
  }
bare.stop();
await servers.many.stop();
await crowd(isSmall ? 50 : 200, isSmall ? 1_000 : 6_000);
await servers.few.stop();
await database.close();
await postgres.dispose();
rmSync(root, { recursive: true });
process.exit();

/** So many clients at once on three replicas, until so much was acknowledged. */
async function crowd(clients, acknowledged) {
  const project = ["--project", "crowd"];
  execFileSync(process.execPath, [waymark, "token", "revoke", "bench", "--root", root], { env });
  const { token } = JSON.parse(execFileSync(process.execPath, [waymark, ...added], { env }));
  const replicas = await Promise.all([0, 1, 2].map(() => startReplica(root, env, project)));
  const tally = newTally();
  const isOver = () => tally.acknowledged.size >= acknowledged;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, index) => {
      let turn = index;
      return walk(index, () => replicas[turn++ % replicas.length].url(), tally, isOver, token);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const replica of replicas) await replica.stop();
  const [p50, p99] = [quantile(tally.times, 0.5), quantile(tally.times, 0.99)];
  const rate = `${Math.round((2 * tally.acknowledged.size) / seconds)} transitions a second`;
  const faults = `${tally.refused + tally.broken} calls sent again`;
  report(`${clients} clients, p99 against p50`, p99 / p50, 20, `${ms(p99)} and ${ms(p50)}; ${rate}; ${faults}`);
}

/** Opens and completes the next action of a run; answers how long each took. `more`: what else the completion submits. */
async function act(call, run, more = {}) {
  const took = {};
  const step = async (what, name, args) => {
    let answer;
    took[what] = await timed(async () => {
      answer = (await call(name, args)).structuredContent;
    });
    return answer;
  };
  const opened = await step("open", "shape_bot", { run });
  const isOver = opened.status === "review" || opened.status === "workflow_complete";
  const { attempt } = isOver ? await step("open", "shape_bot", { run, resume: "restart" }) : opened;
  const { status } = await step("complete", "complete_action", {
    run,
    attempt,
    confirmation: "yes",
    outputs: { answer: "yes" },
    ...more,
  });
  if (!status.includes("complete")) throw new Error(`${run}: ${opened.status}, then ${status}.`);
  return took;
}

/** Compares and appends, as the store does it. */
async function record(log) {
  const id = { kind: "bot", name: "floor" };
  const { seen } = await log.load(id);
  return timed(() => log.append(id, seen, pattern[0], { onFault: "refuse" }));
}

/** Restores a history of so many records without calls. */
async function plant(project, run, records) {
  const texts = [];
  let prev = "0".repeat(64);
  for (let seq = 1; seq <= records; seq++) {
    const pass = 1 + Math.floor((seq - 1) / pattern.length);
    const events = pattern[(seq - 1) % pattern.length].map((event) => ("pass" in event ? { ...event, pass } : event));
    const line = toLine({ seq, prev, op: `${run}-${seq}`, at: "2026-11-18T00:00:00.000Z", events });
    texts.push(line.text);
    prev = line.hash;
  }
  await storeOf(project).transfer.restore(streamOf(run), texts, []);
}

async function startBare() {
  const child = spawn(process.execPath, [join(home, "bench/bare-http-server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  return { url, stop: () => child.kill() };
}
