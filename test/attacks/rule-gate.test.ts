import { rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A project whose validation is behind a gate that looks at the files with one rule. */
function withRuleGate(): Project {
  const project = makeProject();
  project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
  project.write(".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json", {
    name: "plain_words",
    description: "Say it plainly",
    checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
  });
  return project;
}

const spoil: [string, (project: Project) => void][] = [
  ["moved away", (project) => rmSync(project.path("docs/broken.md"))],
  [
    "turned into a link",
    (project) => {
      rmSync(project.path("docs/broken.md"));
      symlinkSync("fine.md", project.path("docs/broken.md"));
    },
  ],
  ["grown over the limit", (project) => truncateSync(project.path("docs/broken.md"), 60 * 1024 * 1024)],
  ["rewritten", (project) => writeFileSync(project.path("docs/broken.md"), "We serve tea.\n")],
];

// Attack (file tools): Move a file that breaks a rule away, link it, let it grow over the limit, rewrite it before the rules look
// -> Refused: a violation of the gate that looks
describe("an assistant with a shell keeps a file that breaks a rule from being looked at", () => {
  test.each(spoil)("on record and then %s: a violation, and the gate stays closed", async (_, hide) => {
    const project = withRuleGate();
    const window = await openWindow(project.root);
    for (let step = 0; step < 3; step++) await window.pass("shape_bot");
    const content = [
      { path: "docs/broken.md", text: "We leverage tea.\n" },
      { path: "docs/fine.md", text: "We serve tea.\n" },
    ];
    await window.pass("shape_bot", { content });
    await window.call("shape_bot");
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ error: "check_failed" });
    hide(project);
    const answer = await window.call("complete_action", { confirmation: "yes" });
    expect(answer).toMatchObject({ status: "refused", error: "check_failed" });
    expect(JSON.stringify(answer)).toContain("docs/broken.md");
  });

  test.each(spoil.slice(0, 3))(
    "named with the hand-in, %s: a violation, and the gate stays closed",
    async (_, hide) => {
      const project = withRuleGate();
      const window = await openWindow(project.root);
      for (let step = 0; step < 4; step++) await window.pass("shape_bot");
      await window.call("shape_bot");
      project.write("docs/broken.md", "We leverage tea.\n");
      project.write("docs/fine.md", "We serve tea.\n");
      hide(project);
      const outputs = { files: ["docs/broken.md", "docs/fine.md"] };
      const answer = await window.call("complete_action", { outputs, confirmation: "yes" });
      expect(answer).toMatchObject({ status: "refused", error: "check_failed" });
      expect(JSON.stringify(answer)).toContain("docs/broken.md");
    },
  );
});
