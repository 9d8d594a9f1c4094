import { expect, it, onTestFinished } from "vitest";
import { startHttp } from "../../src/cli/team/serve-http.ts";
import { openDatabase } from "../../src/stores/postgres/database.ts";
import { postgresTeam } from "../../src/stores/postgres/postgres-team.ts";
import { postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

const damaged = ["", "ab".repeat(31), "ab".repeat(33), "no key", undefined];

it.each(damaged)(
  "a server does not start with a key that is not its 32 bytes, and says where it stands: %j",
  async (key) => {
    const { root, write } = makeProject();
    write(".waymark/team/keys.jsonl", `${JSON.stringify({ name: "sessions", key })}\n`);
    const starting = startHttp({ http: "127.0.0.1:0", root }, () => undefined);
    await expect(starting).rejects.toThrow(/^The key sessions in .*keys\.jsonl has \d+ bytes instead of 32/);
  },
);

it("a key that a crash cut short never counted: another is made, and stays the same from then on", async () => {
  const { root, write, read } = makeProject();
  write(".waymark/team/keys.jsonl", '\n{"name":"sessions","key":"abab');
  const { close } = await startServer(root);
  await close();
  const made = read(".waymark/team/keys.jsonl");
  expect(made).toMatch(/"key":"[0-9a-f]{64}"/);
  await startServer(root);
  expect(read(".waymark/team/keys.jsonl")).toBe(made);
});

it("a key in PostgreSQL is 32 bytes or none", async () => {
  const database = openDatabase(`${await postgresUrl()}?schema=keys_test`);
  const team = postgresTeam(database);
  onTestFinished(team.close);
  expect(await team.key("sessions")).toHaveLength(32);
  for (const key of [Buffer.alloc(0), Buffer.alloc(31)]) {
    await database.run("update keys_test.keys set key = $1 where name = 'sessions'", [key]);
    await expect(team.key("sessions")).rejects.toThrow(`table keys_test.keys has ${key.length} bytes`);
  }
});
