import { linkSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

// Attack (file tools): Pass our own files off as evidence of a file
// -> Refused
test.each(["workflow_state.json", "activity_log.json", "./workflow_state.json", "docs/hard.md", "con", "a\u202eb.md"])(
  "an assistant with file tools gives a file of Waymark's own, or what is no file's name, as evidence of a file (%j): it does not count",
  async (path) => {
    const project = makeProject();
    project.write(
      ".waymark/base_actions/gather_context/gate-definition.yaml",
      "evidence_schema:\n  plan: { type: string, required: true, description: The plan, validator: file_exists }\n",
    );
    project.write("docs/a.md", "a");
    const window = await openWindow(project.root);
    await window.call("story_bot");
    linkSync(project.path("workflow_state.json"), project.path("docs/hard.md"));
    const complete = (plan: string) =>
      window.call("complete_action", { evidence: { plan }, confirmation: "yes, done" });
    expect(await complete(path)).toMatchObject({ error: "incomplete_checkpoint" });
    expect(await complete("docs/a.md")).toMatchObject({ status: "completed" });
  },
);

// Attack (tools): Hide direction marks or control characters in outputs, names, files or standards
// -> Escaped in `--json` and in the exported audit, removed on the terminal
test("an assistant with the tools alone hands in what would move a terminal's cursor or turn its writing: --json escapes it", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("story_bot", { outputs: { note: "a\u009b31mb\u202ec\u2066d\u200fe\u2028f\u{e0041}" } });
  for (const command of ["log", "status", "show"]) {
    const { stdout } = await runCli([command, "--json", "--root", project.root]);
    expect(stdout).not.toMatch(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u);
    JSON.parse(stdout);
    const { stdout: shown } = await runCli([command, "--root", project.root]);
    expect(shown).not.toMatch(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u);
  }
  const { stdout } = await runCli(["log", "--json", "--root", project.root]);
  expect(stdout).toContain("\\u009b");
});
