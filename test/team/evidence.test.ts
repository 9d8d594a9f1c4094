import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

const stores = { files: async () => undefined, PostgreSQL: postgresUrl };

describe.each(Object.entries(stores))("a file that evidence names, on a server with %s", (_, address) => {
  it("is there where it was handed in, with the step or before; what stands beside a database is not looked at", async () => {
    const project = makeProject();
    const gate = (lines: string): string =>
      `evidence_schema:\n  report:\n    type: string\n    required: true\n${lines}`;
    project.write(".waymark/base_actions/gather_context/gate-definition.yaml", gate("    validator: file_exists\n"));
    project.write(
      ".waymark/base_actions/decide_planning_criteria/gate-definition.yaml",
      `${gate("    validator: file_exists\n")}checks:\n  - name: plan\n    file: docs/report.md\n    headings: [Scope]\n`,
    );
    const store = await address();
    const { open } = await startServer(project.root, store === undefined ? {} : { store, project: freshProject() });
    const window = await open();
    project.write("docs/servers.md", "# Of the server\n");
    await window.call("shape_bot");
    if (store !== undefined) {
      const servers = { confirmation: "yes", evidence: { report: "docs/servers.md" } };
      expect(await window.call("complete_action", servers)).toMatchObject({ error: "incomplete_checkpoint" });
    }
    const evidence = { report: "docs/report.md" };
    const missing = await window.call("complete_action", { confirmation: "yes", evidence });
    expect(missing.missing_evidence?.join()).toContain("submit it as content with its text");
    const content = [{ path: "docs/report.md", text: "# Report\n\n## Scope\n\nTea.\n" }];
    expect(await window.call("complete_action", { confirmation: "yes", evidence, content })).toMatchObject({
      status: "completed",
    });
    await window.call("shape_bot");
    expect(await window.call("complete_action", { confirmation: "yes", evidence })).toMatchObject({
      status: "completed",
      checks: [{ name: "plan", status: "passed" }],
    });
  });
});

it("a check that runs a command is not run on the server: it waits for a runner, and says so", async () => {
  const project = makeProject();
  project.write(
    ".waymark/base_actions/gather_context/gate-definition.yaml",
    "checks:\n  - name: touch\n    run: [touch, ran]\n",
  );
  project.write(".waymark/config.json", { checks: { wait: "1s" } });
  const window = await (await startServer(project.root)).open();
  await window.call("shape_bot");
  const answer = await window.call("complete_action", { confirmation: "yes" });
  expect(answer).toMatchObject({ isError: false, status: "checking", waiting_for: "runner" });
  expect(answer.checks).toMatchObject([{ name: "touch", status: "running" }]);
  expect(answer.checks?.[0]?.summary).toContain("waiting for a runner");
  expect(existsSync(project.path("ran"))).toBe(false);
});
