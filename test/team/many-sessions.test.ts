import { expect, it } from "vitest";
import { addWorkflow, callPhase } from "../phased.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

it("with thousands of sessions a start looks for its own, and the list shows the newest and how many more there are", async () => {
  const project = makeProject();
  addWorkflow(project, { type: "plan" });
  const [store, name] = [await postgresUrl(), freshProject()];
  const { open } = await startServer(project.root, { store, project: name });
  const window = await open();
  const start = (target: string) => callPhase(window, "start_workflow", { workflow_type: "plan", target_file: target });
  const first = await start("first.ts");
  // The others are copies of it under other names: nobody looks at them but whoever means one.
  const { schema, run } = await postgresDatabase();
  await run(
    `insert into ${schema}.records (project, area, desk, seq, hash, prev, op, written_at, text)
      select project, area, '["session","plan-' || md5(n::text) || '-1",""]', seq, hash, prev, op, written_at - interval '1 day', text
      from ${schema}.records, generate_series(1, 3000) as n where project = $1`,
    [name],
  );
  const again = await start("first.ts");
  expect([again.session_id, again.resumed]).toEqual([first.session_id, true]);
  const second = await start("second.ts");
  const listed = await callPhase(window, "get_workflow_state");
  const ids = listed.sessions?.map((one) => one.session_id);
  expect([ids?.length, ids?.[0]]).toEqual([10, second.session_id]);
  expect(listed.warnings.join()).toContain("And 490 or more older ones"); // counting all would cost more with each
});
