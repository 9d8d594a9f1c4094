import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { runCli } from "../command-line.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";

it("schema and prepared statements are named in the address or in the environment", () => {
  const url = "postgres://user:word@host/db";
  expect(storeAddress(url, {})).toMatchObject({ url, schema: "waymark", prepare: true });
  const env = { WAYMARK_STORE_SCHEMA: "shop", WAYMARK_STORE_PREPARE: "false" };
  expect(storeAddress(url, env)).toMatchObject({ url, schema: "shop", prepare: false });
  expect(storeAddress(`${url}?schema=other&prepare=true`, env)).toMatchObject({ schema: "other", prepare: true });
});

const hasPgDump = spawnSync("pg_dump", ["--version"]).status === 0;

it.runIf(hasPgDump)("pg_dump takes the address that a server takes", async () => {
  const [store, schema] = [await postgresUrl(), `dump_${freshProject().replaceAll("-", "").slice(0, 20)}`];
  const { run } = await postgresDatabase();
  onTestFinished(async () => void (await run(`drop schema ${schema} cascade`, [])));
  const listed = ["token", "list", "--root", makeProject().root, "--store", store];
  expect((await runCli(listed, undefined, { WAYMARK_STORE_SCHEMA: schema })).code).toBe(0);
  const { stdout, stderr } = spawnSync("pg_dump", [`--schema=${schema}`, store], { encoding: "utf8" });
  // an older pg_dump connects as well, and then says that the server is newer
  expect(stderr).not.toContain("invalid URI query parameter");
  expect(stdout.includes(`CREATE TABLE ${schema}.records`) || stderr.includes("server version mismatch")).toBe(true);
});
