import { expect, it } from "vitest";
import { acceptHistory, listAcceptable } from "../../src/audit/accept-history.ts";
import { auditStreams } from "../../src/audit/audit-streams.ts";
import { openStore } from "../../src/cli/team/open-store.ts";
import { workplaceFor } from "../../src/cli/terminal/workplace-options.ts";
import { runCli } from "../command-line.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

/** A project in a database in which so many actions of shape are done, and what can be done to it there. */
async function done(count: number) {
  const { root } = makeProject();
  const [store, project] = [await postgresUrl(), freshProject()];
  const { schema, run } = await postgresDatabase();
  const server = () => startServer(root, { store, project });
  const { open } = await server();
  const window = await open();
  for (let passed = 0; passed < count; passed++) await window.pass("shape_bot");
  await window.close();
  return {
    project,
    /** Somebody with the database's password. */
    meddle: (text: string) => run(text.replaceAll("SCHEMA", schema), [project]),
    /** What another server on this machine says to the next call, and the one that saw it all. */
    async nextCalls(): Promise<readonly string[]> {
      const fresh = await (await server()).open();
      const said = (await fresh.call("shape_bot", { resume: "continue" })).warnings;
      const again = await (await open()).call("shape_bot", { resume: "continue" });
      return [said.join(" "), again.warnings.join(" ")];
    },
    verify: () => runCli(["verify", "--root", root, "--store", store, "--project", project]),
    /** A person at a terminal takes the histories as they stand. */
    async acceptAll(): Promise<void> {
      const postgres = openStore(store, project, false);
      const workplace = workplaceFor({ root, postgres, project });
      const stamp = { at: new Date().toISOString(), by: "a person" };
      for (const one of listAcceptable(await auditStreams(await workplace.logs(), [])))
        expect(await acceptHistory(one, stamp)).toBeUndefined();
      workplace.close();
      await postgres.close();
    },
  };
}

const attacks: readonly (readonly [string, string, RegExp])[] = [
  ["gone", "delete from SCHEMA.records where project = $1", /in this database, with 4 records, is gone/],
  [
    "cut",
    "delete from SCHEMA.records where project = $1 and seq > 2",
    /was rolled back: it had 4 records and now has 2/,
  ],
];

it.each(attacks)(
  "a history that is %s is said at the next call, by whichever server, and by verify until a person accepts it",
  async (_, statement, words) => {
    const project = await done(2);
    expect((await project.verify()).code).toBe(0);
    await project.meddle(statement);
    const [fresh, again] = await project.nextCalls();
    expect(fresh).toMatch(words);
    expect(again).toMatch(/is gone|was rolled back/); // by then the first server has recorded something there
    const found = await project.verify();
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(words)]);
    await project.acceptAll();
    const accepted = await project.verify();
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.not.stringMatching(words)]);
  },
);

it("a history that is replaced by another of the same length is said as well", async () => {
  const [one, other] = [await done(2), await done(2)];
  const rows = await other.meddle(
    "select seq, hash, prev, op, text from SCHEMA.records where project = $1 order by seq",
  );
  await one.meddle("delete from SCHEMA.records where project = $1");
  const { schema, run } = await postgresDatabase();
  for (const { seq, hash, prev, op, text } of rows) {
    const values = [one.project, Number(seq), String(hash), String(prev), String(op), String(text)];
    const stream = JSON.stringify(["bot", "story_bot", ""]);
    await run(
      `insert into ${schema}.records (project, area, desk, seq, hash, prev, op, written_at, text) values ($1, '', '${stream}', $2::integer, $3, $4, $5, now(), $6)`,
      values,
    );
  }
  const [fresh] = await one.nextCalls();
  expect(fresh).toMatch(/was replaced by another one: record 4 differs/);
  expect((await one.verify()).code).toBe(1);
});
