import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { openWindow } from "../window.ts";

const calling = (workflow: string, more = ""): string =>
  `# W\n\n## Phase 1: Do\n\n\`\`\`yaml gate\nfor_each: [a]\nworkflow: ${workflow}\n${more}\n\`\`\`\n`;
const leaf = "# Leaf\n\n## Phase 1: Do\n\n- [ ] `done`: it is done\n";

/** The error with which a workflow of these files starts, and what check says of it. */
async function started(files: Readonly<Record<string, string>>) {
  const project = emptyProject();
  for (const [name, text] of Object.entries(files)) project.write(`.waymark/workflows/${name}.md`, text);
  const window = await openWindow(project.root);
  const { error } = await callPhase(window, "start_workflow", { workflow_type: "w" });
  const { stdout } = await runCli(["check", "--compact", "--root", project.root]);
  return { error, stdout };
}

test("a workflow that calls itself, directly or through others, is invalid_definition", async () => {
  const direct = await started({ w: calling("w") });
  expect(direct).toMatchObject({
    error: "invalid_definition",
    stdout: expect.stringContaining("a workflow calls itself: w → w"),
  });
  const through = await started({ w: calling("x"), x: calling("y"), y: calling("w") });
  expect(through).toMatchObject({ error: "invalid_definition", stdout: expect.stringContaining("w → x → y → w") });
});

test("calls are nested at most four deep", async () => {
  const chain = { x1: calling("x2"), x2: calling("x3"), x3: calling("x4"), x4: leaf };
  expect((await started({ w: calling("x1"), ...chain })).error).toBeUndefined();
  const deeper = await started({ w: calling("x1"), ...chain, x4: calling("x5"), x5: leaf });
  expect(deeper).toMatchObject({ error: "invalid_definition", stdout: expect.stringContaining("more than 4 deep") });
});

test.each([
  ["an unknown workflow", { w: calling("gone") }, "workflow gone does not exist"],
  ["an unknown input", { w: calling("leaf", "with: { x: 1 }"), leaf }, "the input x, which it does not have"],
  [
    "a missing input",
    { w: calling("leaf"), leaf: `---\ninputs:\n  t: { type: string, required: true }\n---\n${leaf}` },
    "needs the input t",
  ],
  ["an outcome it does not have", { w: calling("leaf", "accept: [blocked]"), leaf }, "accept names blocked"],
  ["a field it does not ask for", { w: calling("leaf", "collect: { n: 1.count }"), leaf }, "collect reads 1.count"],
])("a call with %s does not start, and check says why", async (_, files, why) => {
  expect(await started(files)).toMatchObject({ error: "invalid_definition", stdout: expect.stringContaining(why) });
});

test.each([
  ["for_each: [a]", "needs workflow"],
  ["workflow: leaf\nfor_each: { in: [a], parallel: 0 }", "parallel must be"],
  ["workflow: leaf\nfor_each: { in: [a], file: x.md }", "only one of them"],
  ["workflow: leaf\nfor_each: { in: [a], odd: 1 }", 'the key "odd" of for_each'],
  ["workflow: leaf\nfor_each: { in: 1.parts }", "does not come earlier"],
  ["workflow: leaf\nfor_each: { in: inputs.parts }", "not a declared list"],
])("a gate with %j is closed", async (gate, why) => {
  const page = `# W\n\n## Phase 1: Do\n\n\`\`\`yaml gate\n${gate}\n\`\`\`\n`;
  expect(await started({ w: page, leaf })).toMatchObject({
    error: "invalid_definition",
    stdout: expect.stringContaining(why),
  });
});

test("a step that calls a workflow without for_each has one session", async () => {
  const project = emptyProject();
  project.write(".waymark/workflows/w.md", "# W\n\n## Phase 1: Do\n\n```yaml gate\nworkflow: leaf\n```\n");
  project.write(".waymark/workflows/leaf.md", leaf);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "w" });
  const item = await callPhase(window, "start_workflow", { session_id, item: "leaf" });
  await callPhase(window, "complete_phase", { session_id: item.session_id, phase: 1, evidence: { done: true } });
  const state = await callPhase(window, "get_workflow_state", { session_id });
  expect(state).toMatchObject({ workflow_complete: true });
});

test("items of items prove up to the root, and a session pins every workflow it can call", async () => {
  const project = emptyProject();
  project.write(".waymark/workflows/w.md", calling("mid"));
  project.write(".waymark/workflows/mid.md", calling("leaf"));
  project.write(".waymark/workflows/leaf.md", leaf);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "w" });
  project.write(".waymark/workflows/leaf.md", leaf.replace("it is done", "it is done otherwise"));
  const mid = await callPhase(window, "start_workflow", { session_id, item: "a" });
  const inner = await callPhase(window, "start_workflow", { session_id: mid.session_id, item: "a" });
  expect(inner.session_id).toBe(`${session_id}/1.1/a/1.1/a`);
  expect(inner.phase_content?.content).not.toContain("otherwise");
  project.write(".waymark/workflows/leaf.md", leaf);
  await callPhase(window, "complete_phase", { session_id: inner.session_id, phase: 1, evidence: { done: true } });
  const state = await callPhase(window, "get_workflow_state", { session_id });
  expect(state).toMatchObject({ workflow_complete: true });
  const { code, stdout } = await runCli(["verify", "--require", "w", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
});
