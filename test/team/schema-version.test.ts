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
  // where a token is looked up first, that is refused: a 503, at which the client throws
  const call = async (tool: string) => window.call(tool).catch(() => ({ error: "503", message: "" }));
  let refused = await call("complete_action");
  for (let at = 0; !["unavailable", "503"].includes(refused.error ?? ""); at++) {
    await wait(100);
    refused = await call(at % 2 === 0 ? "story_bot" : "shape_bot");
  }
  const before = await records();
  if (refused.error === "unavailable")
    expect(refused.message).toContain("was created by a newer Waymark (version 1000");
  expect((await call("complete_action")).error).not.toBeUndefined();
  expect(await records()).toBe(before);
  await expect(openDatabase(store).run("select 1 as one", [])).rejects.toThrow(Unavailable);

  await admin.run(`delete from ${schema}.migrations where version = 1000`, []);
  await expect.poll(async () => (await call("story_bot")).error).toBeUndefined();
});
