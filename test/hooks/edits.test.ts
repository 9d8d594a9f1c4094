import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";

function git(project: Project, ...args: readonly string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, ...args], { cwd: project.root, stdio: "ignore" });
}

function committed(): Project {
  const project = makeProject();
  project.write(gate, 'edits: ["src/**"]\n');
  project.write("src/a.js", "1");
  project.write("lib/b.js", "1");
  project.write("lib/dirty.js", "1");
  git(project, "init", "-q");
  git(project, "add", "-A");
  git(project, "commit", "-qm", "all");
  project.write("lib/dirty.js", "2"); // before the step is opened
  return project;
}

it("what was changed outside the edits of a step is said when it completes, and again for the same call", async () => {
  const project = committed();
  const window = await openWindow(project.root);
  await window.call("story_bot");
  project.write("src/a.js", "2");
  project.write("lib/b.js", "2");
  project.write("docs/new.md", "new");
  git(project, "add", "lib/b.js");
  git(project, "commit", "-qm", "around the hooks");
  const completion = { outputs: { done: true }, confirmation: "yes" };
  const said = "Changed while gather_context was open, outside what it may change (src/**): docs/new.md, lib/b.js.";
  const answer = await window.call("complete_action", completion);
  expect(answer.status).toBe("completed");
  expect(answer.warnings.join()).toContain(said);
  expect((await window.call("complete_action", completion)).warnings.join()).toContain(said);
});

it("a step that kept to its edits completes without a word, also with files handed in there", async () => {
  const project = committed();
  const window = await openWindow(project.root);
  await window.call("story_bot");
  project.write("src/a.js", "2");
  const content = [{ path: "src/c.js", text: "3" }];
  const answer = await window.call("complete_action", { content, confirmation: "yes" });
  expect(answer.status).toBe("completed");
  expect(answer.warnings).toEqual([]);
});

it("a definition that was changed meanwhile is said too", async () => {
  const project = committed();
  const window = await openWindow(project.root);
  await window.call("story_bot");
  project.write(".waymark/base_actions/notes.md", "Anything goes.");
  const answer = await window.call("complete_action", { confirmation: "yes" });
  expect(answer.warnings.join()).toContain(".waymark/base_actions/notes.md");
  expect(answer.warnings.join()).not.toMatch(/journal|workflow_state|\.waymark\/open/);
});

it("work outside the edits that was thrown away meanwhile is said too, committed as it was it is not", async () => {
  const project = committed();
  project.write("lib/b.js", "2"); // not committed, like lib/dirty.js
  project.write("lib/new.js", "not tracked");
  const window = await openWindow(project.root);
  await window.call("story_bot");
  git(project, "checkout", "--", "lib/dirty.js");
  git(project, "add", "lib/b.js");
  git(project, "commit", "-qm", "as it was");
  project.remove("lib/new.js");
  const answer = await window.call("complete_action", { confirmation: "yes" });
  expect(answer.warnings.join()).toContain("(src/**): lib/dirty.js, lib/new.js.");
});

it("content that is handed in outside the edits is said too", async () => {
  const project = committed();
  const window = await openWindow(project.root);
  await window.call("story_bot");
  const content = [{ path: "elsewhere.md", text: "3" }];
  const answer = await window.call("complete_action", { content, confirmation: "yes" });
  expect(answer.warnings.join()).toContain("elsewhere.md");
});

it("without git it says that nobody can tell, and the step counts", async () => {
  const project = makeProject();
  project.write(gate, 'edits: ["src/**"]\n');
  const window = await openWindow(project.root);
  await window.call("story_bot");
  const answer = await window.call("complete_action", { confirmation: "yes" });
  expect(answer.status).toBe("completed");
  expect(answer.warnings.join()).toContain(
    "Waymark can't tell whether anything outside the edits of gather_context was changed",
  );
});

it("a gate file that only says what may be edited asks for nothing", async () => {
  const project = makeProject();
  project.write(".waymark/base_actions/build_knowledge/gate-definition.yaml", 'edits: ["**"]\n');
  const window = await openWindow(project.root);
  for (const _ of [1, 2]) await window.pass("story_bot");
  await window.call("story_bot");
  expect((await window.call("complete_action")).status).toBe("completed"); // it goes on by itself
});
