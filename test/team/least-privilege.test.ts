import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/stores/postgres/database.ts";
import { runCli } from "../command-line.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startReceiver } from "./receiver.ts";
import { startServer } from "./server.ts";

/** The statements of docs/database.md, for a schema and a role of this test. */
function documented(schema: string, role: string): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/database.md"), "utf8");
  const [, sql = ""] = /```text\n(CREATE ROLE waymark_server[^`]+)```/.exec(page) ?? [];
  return sql
    .replaceAll("waymark_server", role)
    .replace(/\bSCHEMA waymark\b/g, `SCHEMA ${schema}`)
    .replaceAll("waymark.", `${schema}.`)
    .split(";")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

it("a server works with the rights that docs/database.md gives its role, and cannot change or delete a record", async () => {
  const name = freshProject().replaceAll("-", "").slice(0, 30);
  const [schema, role] = [`least_${name}`, `role_${name}`];
  const base = await postgresUrl();
  const admin = openDatabase(base);
  const owner = openDatabase(`${base}?schema=${schema}`);
  onTestFinished(() => admin.close());
  onTestFinished(() => owner.close());
  await owner.run("select 1 as one", []);
  const statements = documented(schema, role);
  expect(statements).toHaveLength(6);
  for (const one of statements) await admin.run(one, []);
  const url = new URL(base);
  [url.username, url.password] = [role, "change me"];
  const store = `${url.href}?schema=${schema}`;

  const receiver = await startReceiver();
  const project = makeProject();
  project.write("projects.json", { shop: { definitions: ".waymark", notify: [{ url: receiver.url }] } });
  const token = ["token", "add", "anna", "--role", "agent", "--root", project.root, "--store", store, "--json"];
  const { token: secret } = JSON.parse((await runCli(token)).stdout);
  const server = await startServer(project.root, { projects: project.path("projects.json"), store });
  const window = await server.open({ token: secret });
  await window.call("shape_bot");
  const content = [{ path: "docs/shape.md", text: "a file" }];
  expect((await window.call("complete_action", { content })).status).toBe("awaiting_human");
  await receiver.came(1);
  expect((await window.call("complete_action", { content, confirmation: "yes" })).status).toBe("completed");
  await window.call("shape_bot");
  expect((await window.call("complete_action", { blocked: "it needs a device" })).status).toBe("awaiting_human");
  await receiver.came(2);
  expect(server.log()).not.toContain('"event":"fault"');
  expect((await runCli(["token", "revoke", "anna", "--root", project.root, "--store", store])).code).toBe(0);

  const served = openDatabase(store);
  onTestFinished(() => served.close());
  const records = `${schema}.records`;
  for (const wrong of [
    `delete from ${records}`,
    `update ${records} set text = ''`,
    `delete from ${schema}.texts`,
    `drop table ${records}`,
    `create table ${schema}.other (id integer)`,
    `delete from ${schema}.tokens`,
  ])
    await expect(served.run(wrong, []), wrong).rejects.toThrow(/permission denied|must be owner/);
});
