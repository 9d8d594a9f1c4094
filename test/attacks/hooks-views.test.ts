import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerHook } from "../../src/cli/work/hook.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A project with an action open, and the view of it that hooks read. */
async function open(): Promise<{ readonly project: Project; readonly view: string }> {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.close();
  const [name = ""] = readdirSync(project.path(".waymark/open"));
  return { project, view: project.path(`.waymark/open/${name}`) };
}

const told = (project: Project): Promise<string> =>
  answerHook("claude", "SessionStart", JSON.stringify({ session_id: "s", cwd: project.root, source: "startup" }));

// Attack (shell): Put a pipe in place of one of our files, also where hooks read, or spoil what hooks read
test.each<readonly [string, (view: string) => void]>([
  ["is a pipe", (view) => execFileSync("mkfifo", [view])],
  ["is no view", (view) => writeFileSync(view, '{"format":1,"desk":{"kind":"bot"},"steps":[null,{"since":5}]}')],
  ["is larger than any view", (view) => writeFileSync(view, Buffer.alloc(4 << 20, "x"))],
])(
  "with a shell: what hooks read of an open action %s: no call and no hook waits for it, and it is shown anew",
  async (_, spoil) => {
    const { project, view } = await open();
    rmSync(view);
    spoil(view);
    expect(await told(project)).toContain("gather_context");
    rmSync(view);
    spoil(view);
    const window = await openWindow(project.root);
    expect((await window.call("complete_action", { action: "gather_context", confirmation: "yes" })).status).toBe(
      "completed",
    );
    await window.close();
    expect(await told(project)).toContain("decide_planning_criteria");
  },
);
