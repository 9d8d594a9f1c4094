import { expect, it, onTestFinished } from "vitest";
import { toLine } from "../../src/stores/chain/journal-record.ts";
import { type Database, openDatabase } from "../../src/stores/postgres/database.ts";
import { migrations } from "../../src/stores/postgres/migrations.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { completedExample, startedExample } from "../../src/testing/example-events.ts";
import type { StreamId } from "../../src/workflow/stream-id.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { eras } from "../window.ts";
import { startServer } from "./server.ts";

const run = (name: string): StreamId => ({ kind: "bot", name: "story_bot", run: name });

function open(database: Database, project = freshProject()): Store {
  return postgresStore({ database, project, area: async () => "" });
}

/** The runs where a caller may have open work, the default one left out. */
async function openRuns(store: Store, caller: string): Promise<readonly StreamId[] | undefined> {
  return (await store.openFor?.(caller, "story_bot"))?.flatMap(({ id }) => (id.run === undefined ? [] : [id]));
}

async function record({ log }: Store, id: StreamId, event: ReturnType<typeof startedExample>): Promise<void> {
  const { seen } = await log.load(id);
  expect(await log.append(id, seen, [event], { onFault: "refuse" })).toMatchObject({ status: "recorded" });
}

it.each(eras)("whoever completes without naming a run means their own, at whichever server (%s)", async (era) => {
  const { root } = makeProject();
  const store = { store: await postgresUrl(), project: freshProject() };
  const [one, other] = [await startServer(root, store), await startServer(root, store)];
  const ben = await one.open({ era: "2025" });
  for (const name of ["cups", "kettles"]) await ben.call("shape_bot", { run: name });
  const anna = await one.open({ era });
  await anna.call("shape_bot", { run: "leaves" });
  const again = era === "2026" ? await other.open({ era }) : anna;
  expect(await again.call("complete_action", { confirmation: "yes" })).toMatchObject({
    status: "completed",
    action: "gather_context",
  });
  const kept = postgresStore({ database: await postgresDatabase(), project: store.project, area: async () => "" });
  expect((await kept.log.load(run("leaves"))).stream.completedCount).toBe(1);
});

it("who stands where goes on record with each step, and nobody is named who has left", async () => {
  const store = open(await postgresDatabase());
  await record(store, run("a"), startedExample(1, "anna"));
  await record(store, run("b"), startedExample(1, "anna"));
  await record(store, run("b"), startedExample(2, "ben"));
  expect(await openRuns(store, "anna")).toEqual([run("a"), run("b")]);
  expect(await openRuns(store, "ben")).toEqual([run("b")]);
  await record(store, run("a"), completedExample(1, "anna"));
  expect(await openRuns(store, "anna")).toEqual([run("b")]);
});

it("finding a caller's runs is one statement while their histories are as last seen, and reads what is new", async () => {
  const database = await postgresDatabase();
  const project = freshProject();
  const said: string[] = [];
  const counting: Database = {
    ...database,
    run(text, values) {
      said.push(text);
      return database.run(text, values);
    },
  };
  const [store, elsewhere] = [open(counting, project), open(database, project)];
  await record(store, run("a"), startedExample(1, "anna"));
  await store.openFor?.("anna", "story_bot");
  said.splice(0);
  const seenOf = async (): Promise<(readonly [string | undefined, number])[] | undefined> =>
    (await store.openFor?.("anna", "story_bot"))?.map(({ id, loaded }) => [id.run, loaded.seen]);
  expect(await seenOf()).toEqual([
    [undefined, 0],
    ["a", 1],
  ]);
  expect(said).toHaveLength(1);
  await record(elsewhere, run("a"), startedExample(2, "anna"));
  expect((await seenOf())?.at(-1)).toEqual(["a", 2]);
});

it("a record that came too late moves nobody", async () => {
  const store = open(await postgresDatabase());
  await record(store, run("a"), startedExample(1, "anna"));
  const late = await store.log.append(run("a"), 0, [startedExample(2, "ben")], { onFault: "refuse" });
  expect([late.status, await openRuns(store, "ben")]).toEqual(["behind", []]);
});

it("histories that are brought in bring along who stands there", async () => {
  const database = await postgresDatabase();
  const [from, to] = [open(database), open(database)];
  await record(from, run("a"), startedExample(1, "anna"));
  const texts: string[] = [];
  for await (const { text } of from.log.records(run("a"))) texts.push(text);
  await to.transfer?.restore(run("a"), texts, []);
  expect(await openRuns(to, "anna")).toEqual([run("a")]);
});

it("a database from before knows after its upgrade who may stand where", async () => {
  const schema = `before_standing_${Date.now()}`;
  const admin = await postgresDatabase();
  await admin.run(`create schema ${schema}`, []);
  const [first] = migrations;
  for (const sql of (first?.sql(schema) ?? "").split(";\n")) if (sql.trim() !== "") await admin.run(sql, []);
  await admin.run(`create table ${schema}.migrations (version integer primary key, at timestamptz default now())`, []);
  await admin.run(`insert into ${schema}.migrations (version) values (1)`, []);
  const { text, hash } = toLine({ seq: 1, prev: "0".repeat(64), op: "1", events: [startedExample(1, "anna")] });
  const key = JSON.stringify(["bot", "story_bot", "a"]);
  await admin.run(`insert into ${schema}.records values ('p', '', $1, 1, $2, '', '1', now(), $3)`, [key, hash, text]);
  const database = openDatabase(`${await postgresUrl()}?schema=${schema}`);
  onTestFinished(() => database.close());
  expect(await openRuns(open(database, "p"), "anna")).toEqual([run("a")]);
});

it("sessions are found by what their names begin with, and the latest without a look at the others", async () => {
  const store = open(await postgresDatabase());
  const session = (name: string): StreamId => ({ kind: "session", name });
  for (const name of ["a-1", "b-1", "ab-1", "a-2"]) await record(store, session(name), startedExample(1, "anna"));
  await record(store, run("a-1"), startedExample(1, "anna"));
  await record(store, session("b-1"), startedExample(2, "anna"));
  expect(await store.log.streams("session", "a-")).toEqual([session("a-1"), session("a-2")]);
  expect(await store.log.streams("session")).toHaveLength(4);
  expect(await store.log.streams("bot")).toEqual([run("a-1")]);
  expect(await store.log.latest?.("session", 2)).toEqual([session("b-1"), session("a-2")]);
});
