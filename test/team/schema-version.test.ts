import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../src/kit/unavailable.ts";
import { openDatabase } from "../../src/stores/postgres/database.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

it("a replica that runs refuses to write once another has brought a newer schema, and goes on when it is gone", async () => {
  const schema = `newer_${freshProject().replaceAll("-", "")}`;
  const store = `${await postgresUrl()}?schema=${schema}`;
  const admin = openDatabase(await postgresUrl());
  onTestFinished(() => admin.close());
  onTestFinished(async () => void (await admin.run(`drop schema ${schema} cascade`, [])));
  const server = await startServer(makeProject().root, { store });
  const window = await server.open();
  expect((await window.call("story_bot")).status).toBe("started");
  const records = async () => (await admin.run(`select seq from ${schema}.records`, [])).length;

  await admin.run(`insert into ${schema}.migrations (version) values (1000)`, []);
  let refused = await window.call("complete_action", { confirmation: "yes" });
  for (let at = 0; refused.error !== "unavailable"; at++) {
    await wait(100);
    refused = await window.call(at % 2 === 0 ? "story_bot" : "shape_bot");
  }
  const before = await records();
  expect(refused.message).toContain("was created by a newer Waymark (version 1000");
  expect((await window.call("complete_action", { confirmation: "yes" })).error).toBe("unavailable");
  expect(await records()).toBe(before);
  await expect(openDatabase(store).run("select 1 as one", [])).rejects.toThrow(Unavailable);

  await admin.run(`delete from ${schema}.migrations where version = 1000`, []);
  expect((await window.call("story_bot")).error).toBeUndefined();
}, 60_000);
