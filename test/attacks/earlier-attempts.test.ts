import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { overHttp } from "../doors.ts";
import { makeProject, type Project, projectAt } from "../project.ts";
import { openWindow } from "../window.ts";

const plan = { path: "docs/plan.md", text: "# Plan\n\n## Scope\n" };
const planned = "checks:\n  - name: plan\n    file: docs/plan.md\n    headings: [Scope]\n";
const yes = { confirmation: "yes" };

function plannedProject(): Project {
  const project = makeProject();
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", planned);
  return project;
}

test.skipIf(overHttp("no file is the assistant's there"))(
  "a file that an assistant wrote itself counts in its first attempt, and after retry only if it is submitted again",
  async () => {
    const project = plannedProject();
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    project.write(plan.path, plan.text);
    expect((await window.call("complete_action", yes)).status).toBe("completed");
    await window.call("shape_bot", { action: "gather_context", resume: "retry" });
    const older = await window.call("complete_action", yes);
    expect(older).toMatchObject({ error: "check_failed" });
    expect(older.message).toContain("docs/plan.md: it was there before this attempt");
    const again = await window.call("complete_action", { ...yes, content: [{ path: plan.path }] });
    expect(again.status).toBe("completed");
  },
);

// Attack (tools): Rest on the files of an earlier attempt or of another run, or submit nothing for a person to judge
// -> Refused: a check's file is submitted again, and a question is answered in every attempt
test("after retry and in a new pass the content of the earlier attempt is not enough", async () => {
  const project = plannedProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const first = await window.call("complete_action", { ...yes, content: [plan] });
  expect(first.status).toBe("completed");
  for (const resume of ["retry", "restart"]) {
    await window.call("shape_bot", { action: "gather_context", resume });
    expect(await window.call("complete_action", { confirmation: `yes to ${resume}` })).toMatchObject({
      error: "check_failed",
    });
    const content = [{ path: plan.path, text: `${plan.text}\n${resume}\n` }];
    expect((await window.call("complete_action", { ...yes, content })).status).toBe("completed");
  }
});

test.skipIf(overHttp("a server has one work tree"))(
  "in a fresh worktree the files that another run committed are not its own work",
  async () => {
    const project = plannedProject();
    project.write(plan.path, plan.text);
    const git = (...args: string[]): void =>
      void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: project.root });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
    const tree = join(dirname(project.root), `${project.root.split("/").at(-1)}-tree`);
    git("worktree", "add", "-q", "-b", "second", tree);
    const window = await openWindow(tree);
    await window.call("shape_bot");
    expect(await window.call("complete_action", yes)).toMatchObject({ error: "check_failed" });
    const content = [{ path: plan.path }];
    expect((await window.call("complete_action", { ...yes, content })).status).toBe("completed");
    execFileSync("rm", ["-rf", tree]);
  },
);

test("a person is not asked to agree to nothing: where an action asks questions, every attempt answers them", async () => {
  const project = makeProject();
  project.write(".waymark/bots/story_bot/behaviors/shape/key_questions.json", { questions: ["Who are the users?"] });
  const asked: string[] = [];
  const person = (question: string) => {
    asked.push(question);
    return { action: "accept" as const, content: { answer: "yes" } };
  };
  const window = await openWindow(project.root, { person });
  await window.call("shape_bot");
  const empty = await window.call("complete_action", yes);
  expect(empty).toMatchObject({ error: "incomplete_checkpoint", isError: false });
  expect(empty.missing_evidence).toEqual([expect.stringContaining("outputs (required")]);
  const blank = await window.call("complete_action", { ...yes, outputs: { users: " " } });
  expect(blank.error).toBe("incomplete_checkpoint");
  expect(asked).toEqual([]);
  expect((await window.call("complete_action", { outputs: { users: "guests" } })).status).toBe("completed");
  await window.call("shape_bot", { action: "gather_context", resume: "retry" });
  expect((await window.call("complete_action", yes)).error).toBe("incomplete_checkpoint");
  expect(asked).toHaveLength(1);
  expect(projectAt(project.root).state().action_state).toBe("started");
});
