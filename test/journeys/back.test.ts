import { expect, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { openView } from "../../src/workflow/open-view.ts";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { reply, sitDown } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A project with so many actions completed. */
async function walked(actions: number): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  for (let done = 0; done < actions; done++) await window.pass("story_bot");
  await window.close();
  return project;
}

test.each(["shape.gather_context", "story_bot.shape.gather_context"])(
  "back understands %s, as log and status write it",
  async (written) => {
    const { root } = await walked(1);
    expect(await runCli(["back", written, "--root", root])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("story_bot is back at shape.gather_context"),
    });
  },
);

test("a step that is not there is answered in the words of the command line", async () => {
  const { root } = await walked(1);
  const { code, stderr } = await runCli(["back", "gather", "--root", root]);
  expect(code).toBe(1);
  expect(stderr).toContain("shape has no action gather. Use one of: gather_context, ");
  expect(stderr).not.toContain("leave out action");
});

test.skipIf(overHttp("a terminal of its own has no store named"))(
  "at a terminal a person sees what would have to be done again, and is asked; with --yes they are not",
  async () => {
    const project = await walked(2);
    const person = sitDown();
    const no = person.runs(project, ["back", "gather_context"]);
    await no.sees("To be redone: gather_context, decide_planning_criteria.");
    await reply(no, "Go back? [y/N]", "");
    await no.ends();
    const done = async (): Promise<number | undefined> => {
      const workplace = openWorkplace({ root: project.root });
      const { id, peek } = await workplace.engine("story_bot");
      const view = openView(id, await peek());
      workplace.close();
      return view?.completed;
    };
    expect(await done()).toBe(2);
    await person.runs(project, ["back", "decide_planning_criteria", "--yes"]).ends();
    // What a hook's card says is what counts now, as in status.
    expect(await done()).toBe(1);
  },
);
