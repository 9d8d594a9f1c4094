import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { call, itemProject, planned } from "../items/item-calls.ts";
import { commit, openBridged, workTree } from "./bridging.ts";
import { startServer } from "./server.ts";

it("the checks of items that are walked at once run where the files are, each for its own item", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const check = `checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: { format: junit, path: reports/junit.xml }
    gives: { findings: passed }
evidence_schema:`;
  const page = project.read(".waymark/workflows/one.md");
  project.write(".waymark/workflows/one.md", page.replace("evidence_schema:", check));
  const { url } = await startServer(project.root);
  const tree = workTree({ passed: 4 });
  const window = await openBridged(url, tree);
  const { session, open, complete } = await planned(window, ["a", "b", "c"]);
  const evidence = { verdict: "good" };
  const settle = async (item: string) => {
    const { session_id, attempt } = await open(item);
    const content = [{ path: `docs/${item}.md` }];
    for (;;) {
      const done = await call(window, "complete_phase", { session_id, phase: 1, evidence, content, attempt });
      if ((done as { status?: string }).status !== "checking") return done;
    }
  };
  for (const item of ["a", "b", "c"]) tree.write(`docs/${item}.md`, `# ${item}\n`);
  commit(tree);
  expect((await settle("a")).error).toBe("check_untrusted");
  await runCli(["trust", "--root", tree.root, "--yes"]);
  for (const done of await Promise.all(["a", "b", "c"].map(settle)))
    expect(done).toMatchObject({ checkpoint_passed: true, workflow_complete: true });
  expect(await complete(3, { redo: [], findings: 0 })).toMatchObject({ workflow_complete: true });
  const { code, stdout } = await runCli(["verify", "--require", "each", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
  expect(stdout.match(/tests passed, local, run by the caller's own runner/g)?.length, session).toBeGreaterThan(2);
});
