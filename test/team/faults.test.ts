import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../scripts/postgres-server.mjs";
import type { EventLog } from "../../src/engine/ports/event-log.ts";
import { Unavailable } from "../../src/kit/unavailable.ts";
import { type DatabaseOptions, openDatabase } from "../../src/stores/postgres/database.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { postgresTeam } from "../../src/stores/postgres/postgres-team.ts";
import { startedExample } from "../../src/testing/index.ts";
import type { StreamId } from "../../src/workflow/stream-id.ts";
import { cuttable } from "../cuttable.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { wholeOr } from "../whole.ts";

const stream: StreamId = { kind: "bot", name: "story_bot" };

/** A replica: a window on the database that shares nothing with any other. */
function replica(url: string, project: string, options: DatabaseOptions = {}): EventLog {
  const database = openDatabase(url, { patience: 300_000, ...options });
  onTestFinished(() => database.close());
  return postgresStore({ database, project, area: async () => "" }).log;
}

async function ownServer(settings: Record<string, string | number> = {}): Promise<PostgresServer> {
  const server = await startPostgres({ settings });
  await server.start();
  onTestFinished(() => server.dispose());
  return server;
}

/** Records a numbered event as soon as nobody is quicker; true once it was acknowledged. */
async function record(log: EventLog, number: number, by: string): Promise<boolean> {
  for (;;) {
    try {
      const { seen } = await log.load(stream);
      const { status } = await log.append(stream, seen, [startedExample(number, by)], { onFault: "hold" });
      if (status === "recorded") return true;
    } catch (error) {
      if (error instanceof Unavailable) return false;
      throw error;
    }
  }
}

/** What stands there: a chain that is whole, and who recorded what. */
async function status(log: EventLog): Promise<readonly string[]> {
  const { breaks, doubts, lines } = await log.audit(stream);
  expect([breaks, doubts, lines]).toEqual([[], [], []]);
  const found: string[] = [];
  for await (const { events } of log.records(stream))
    for (const event of events) if (event.type === "started") found.push(`${event.by} ${event.step}`);
  return found;
}

/** Nothing acknowledged is lost, and nothing stands twice; what was not acknowledged may stand. */
async function holds(log: EventLog, acknowledged: readonly string[]): Promise<void> {
  const found = await status(log);
  expect(new Set(found).size).toBe(found.length);
  expect(acknowledged.filter((one) => !found.includes(one))).toEqual([]);
}

/** Replicas that record as fast as they can, until they are told to stop. */
function atWork(logs: readonly EventLog[]): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let isStopped = false;
  const working = logs.map(async (log, index) => {
    for (let number = 0; !isStopped; number++)
      if (await record(log, number, `replica ${index}`)) acknowledged.push(`replica ${index} step_${number}`);
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    await Promise.all(working);
  };
  return { acknowledged, stop };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}

it("replicas that race on one desk make one chain: nothing forked, lost or doubled", async () => {
  const [url, project] = [await postgresUrl(), freshProject()];
  const work = atWork(Array.from({ length: 4 }, () => replica(url, project)));
  await until(() => work.acknowledged.length >= wholeOr(500, 60));
  await work.stop();
  await holds(replica(url, project), work.acknowledged);
  expect(await status(replica(url, project))).toHaveLength(work.acknowledged.length);
});

it("an answer that was lost on the way is found again, and its record stands once", async () => {
  const way = await cuttable(await postgresUrl());
  onTestFinished(way.close);
  const project = freshProject();
  const log = replica(way.url, project, { connections: 1 });
  // Each statement has been answered once on its one connection: from then on one goes out without waiting for an answer first.
  for (const number of [0, 1]) await record(log, number, "replica");
  await turn(); // the word of it goes out
  const [before, direct] = [await log.load(stream), replica(await postgresUrl(), project)];
  const isThere = async (): Promise<boolean> => (await direct.load(stream)).seen === 3;
  let appended: unknown;
  // Where it must ask for something first, as on a new connection, nothing goes out at all: it is tried again.
  while (!(await isThere())) {
    way.muffle();
    let isOver = false;
    const appending = log
      .append(stream, before.seen, [startedExample(2, "replica")], { onFault: "hold" })
      .catch((fault: unknown) => fault)
      .finally(() => (isOver = true));
    while (!isOver && !(await isThere())) await wait(10);
    way.mend(); // the connection dies with the answer
    appended = await appending;
  }
  expect(appended).toEqual({ status: "recorded", warnings: [] });
  expect(await status(direct)).toEqual(["replica step_0", "replica step_1", "replica step_2"]);
});

it("PostgreSQL restarted, and killed, between and during appends: nothing acknowledged is lost or doubled", async () => {
  const server = await ownServer({ fsync: "on" });
  const project = freshProject();
  const work = atWork(Array.from({ length: 3 }, () => replica(server.url, project)));
  for (const signal of wholeOr(["SIGINT", "SIGKILL", "SIGQUIT", "SIGKILL", "SIGINT"], ["SIGINT", "SIGKILL"] as const)) {
    const before = work.acknowledged.length;
    await until(() => work.acknowledged.length > before + 10);
    await server.restart(signal as "SIGINT");
  }
  const before = work.acknowledged.length;
  await until(() => work.acknowledged.length > before + 10);
  await work.stop();
  await holds(replica(server.url, project), work.acknowledged);
});

it("the primary dies and its synchronous standby takes over: nothing acknowledged is lost, and replicas hear each other again", async () => {
  const primary = await ownServer({ fsync: "on" });
  const standby = await primary.standby();
  onTestFinished(() => standby.dispose());
  const admin = openDatabase(primary.url);
  // Only now: had the standby learned of it as well, it would wait for another one.
  await admin.run("alter system set synchronous_standby_names = 'standby'", []);
  await admin.run("select pg_reload_conf()", []);
  await admin.close();
  const url = `postgres://waymark@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const project = freshProject();
  const work = atWork(Array.from({ length: 3 }, () => replica(url, project)));
  await until(() => work.acknowledged.length > wholeOr(300, 40));
  const listening = openDatabase(url);
  onTestFinished(() => listening.close());
  const heard: string[] = [];
  onTestFinished(listening.listen((payload) => void (payload === undefined || heard.push(payload))));
  await until(() => heard.length > 0);
  await primary.stop("SIGKILL");
  await wait(1500); // as long as somebody takes to notice
  await standby.promote();
  heard.length = 0;
  const before = work.acknowledged.length;
  await until(() => work.acknowledged.length > before + 10 && heard.length > 0);
  await work.stop();
  await holds(replica(standby.url, project), work.acknowledged);
});

it("a history that was put back is read anew, and not gone on with as it was remembered", async () => {
  const [url, project] = [await postgresUrl(), freshProject()];
  const log = replica(url, project);
  for (let number = 0; number < 3; number++) await record(log, number, "replica");
  const admin = openDatabase(url);
  onTestFinished(() => admin.close());
  await admin.run("delete from waymark.records where project = $1 and seq = 3", [project]);
  expect((await log.load(stream)).seen).toBe(2);
  await admin.run(
    "update waymark.records set text = replace(text, 'step_1', 'step_9') where project = $1 and seq = 2",
    [project],
  );
  await expect(replica(url, project).load(stream)).rejects.toThrow("damaged: record 2");
  expect(
    (await replica(url, project).audit(stream)).breaks.length + (await log.audit(stream)).doubts.length,
  ).toBeGreaterThan(0);
});

it("any number of processes that begin at once bring an empty database up to date once", async () => {
  const url = `${await postgresUrl()}?schema=at_once_${Date.now()}`;
  const found = await Promise.all(Array.from({ length: 6 }, () => replica(url, "default").load(stream)));
  expect(found.map(({ seen }) => seen)).toEqual([0, 0, 0, 0, 0, 0]);
});

it("a word that was sent while a replica was not listening reaches it all the same, once", async () => {
  const way = await cuttable(await postgresUrl());
  onTestFinished(way.close);
  const [far, near] = [openDatabase(way.url), openDatabase(await postgresUrl())].map(postgresTeam);
  onTestFinished(async () => void (await Promise.all([far?.close(), near?.close()])));
  const heard: string[] = [];
  const listening = far?.signals.listen((text) => heard.push(text));
  onTestFinished(() => listening?.());
  const word = (text: string): string => `${text} ${way.url}`;
  await near?.signals.send(word("before"));
  await until(() => heard.includes(word("before")));
  way.cut();
  await near?.signals.send(word("meanwhile"));
  await near?.signals.send(word("at length".padEnd(9000, ".")));
  way.mend();
  await until(() => heard.filter((text) => text.endsWith(way.url)).length >= 3);
  await near?.signals.send(word("after"));
  await until(() => heard.includes(word("after")));
  expect(heard.filter((text) => text.endsWith(way.url)).sort()).toEqual(
    [word("after"), word("at length".padEnd(9000, ".")), word("before"), word("meanwhile")].sort(),
  );
});
