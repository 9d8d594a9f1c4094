import { expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

test("a completed action that was renamed or removed is named in warnings, once for each caller", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  for (const _ of [1, 2]) await window.pass("shape_bot");
  expect((await window.call("shape_bot")).warnings).toEqual([]);
  project.remove(".waymark/base_actions/gather_context");
  project.write(".waymark/base_actions/decide_planning_criteria/action_config.json", {
    name: "decide_criteria",
    workflow: true,
    order: 2,
    next_action: "build_knowledge",
  });
  const said =
    "Completed here, but no longer in the definitions (renamed or removed): shape.gather_context, shape.decide_planning_criteria. Their records stay.";
  expect((await window.call("shape_bot")).warnings).toContain(said);
  expect((await window.call("shape_bot")).warnings).not.toContain(said);
  const other = await openWindow(project.root);
  expect((await other.call("story_bot", { resume: "continue" })).warnings).toContain(said);
});
