import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { reply, sitDown } from "../people.ts";
import { openWindow } from "../window.ts";
import { bad, call, good, itemProject, planned } from "./item-calls.ts";

test("each item is a session of its own, and the step completes once the last is settled", async () => {
  const window = await openWindow(itemProject("{ in: plan.parts, parallel: 2 }").root);
  const { session, opened, open, finish, state } = await planned(window, ["a", "b", "c"]);
  expect(opened).toMatchObject({ next_phase: 2, items: { total: 3, open: [], ready: ["a", "b", "c"] } });
  expect((await state()).next_step).toContain("it lists its items and which are ready");
  const early = await call(window, "complete_phase", { session_id: session, phase: 2, evidence: {} });
  expect(early).toMatchObject({
    error: "incomplete_checkpoint",
    missing_evidence: ["items (required: 3 of 3 are not settled: a, b, c)"],
  });
  const a = await open("a");
  expect(a).toMatchObject({ session_id: `${session}/2.1/a`, workflow_type: "one", current_phase: 1 });
  expect(a.phase_content?.content).toContain("Do a (a).");
  const b = await open("b");
  const c = await open("c");
  expect(c).toMatchObject({ isError: true, error: "item_not_ready" });
  expect(c.message).toContain("a, b");
  const doneA = await finish(a.session_id);
  expect(doneA).toMatchObject({
    workflow_complete: true,
    parent: { session_id: session, items: { total: 3, open: ["b"], ready: ["c"] } },
  });
  await finish(b.session_id);
  const last = await finish((await open("c")).session_id);
  expect(last.next_step).toContain("Continue with");
  expect(await state()).toMatchObject({ current_phase: 3, completed_phases: [1, 2] });
  const listed = await call(window, "get_workflow_state", {});
  expect(listed.sessions?.map(({ session_id }) => session_id)).toEqual([session]);
});

test("an item opens only when what it comes after is settled", async () => {
  const window = await openWindow(itemProject("{ in: plan.parts, parallel: 5, after: needs }").root);
  const { opened, open, settle, read } = await planned(window, [
    { id: "x" },
    { id: "y", needs: ["x"] },
    { id: "z", needs: "x, y" },
  ]);
  expect(opened.items).toEqual({ total: 3, open: [], ready: ["x"] });
  expect(await open("z")).toMatchObject({
    error: "item_not_ready",
    message: expect.stringContaining("waits for x, y"),
  });
  await settle("x");
  expect((await read()).items).toEqual({ total: 3, open: [], ready: ["y"] });
  await settle("y");
  await settle("z");
  expect((await read()).phase_number).toBe(3);
});

test("items that wait for each other block the step and are named; a list without the circle opens it again", async () => {
  const project = itemProject('{ file: "{{inputs.tasks}}", after: depends_on, parallel: 3 }');
  const list = (...lines: string[]) => project.write("tasks.md", `# Plan\n\n${lines.join("\n")}\n`);
  list("- [ ] 1. One", "  - _Depends: 2_", "- [ ] 2. Two", "  - _Depends: 1_");
  const window = await openWindow(project.root);
  const { session, open, read, settle, state } = await planned(window, ["p"], { tasks: "tasks.md" });
  expect((await runCli(["status", "--root", project.root])).stdout).toContain("1 → 2 → 1");
  expect(await open("1")).toMatchObject({ error: "item_not_ready" });
  list("- [ ] 1. One", "- [ ] 2. Two", "  - _Depends: 1_");
  expect((await read()).items?.ready).toEqual(["1"]);
  expect((await runCli(["status", "--root", project.root])).stdout).not.toContain("blocked");
  await settle("1");
  await settle("2");
  expect(await state()).toMatchObject({ session_id: session, current_phase: 3 });
});

test("an item that ends outside accept blocks its parent; a person's answer lets it be done again", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const window = await openWindow(project.root);
  const { session, open, settle, read, state } = await planned(window, ["a", "b"]);
  expect(await settle("a", bad)).toMatchObject({ workflow_complete: true, outcome: "no-go" });
  expect(await open("a")).toMatchObject({ error: "item_not_ready", message: expect.stringContaining("person") });
  await settle("b");
  expect(await state()).toMatchObject({ current_phase: 2 });
  const { stdout } = await runCli(["status", "--root", project.root]);
  expect(stdout).toContain("Item a ended as no-go");
  const person = sitDown().runs(project, ["answer", session, "Try it once more."]);
  await person.sees("is open again");
  await person.ends();
  expect((await read()).items?.ready).toEqual(["a"]);
  const again = await open("a");
  expect(again.session_id).toBe(`${session}/2.1/a~2`);
  await call(window, "complete_phase", { session_id: again.session_id, phase: 1, evidence: good });
  expect(await state()).toMatchObject({ current_phase: 3 });
});

test("a person drops an item: the step completes, and verify asks for --allow-waived", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const window = await openWindow(project.root);
  const { session, open, settle, finish, state, complete } = await planned(window, ["a", "b"]);
  const { session_id: item } = await open("b");
  await settle("a");
  const person = sitDown().runs(project, ["drop", session, "b", "--reason", "Not needed."]);
  await reply(person, "[y/N]", "y");
  await person.sees("Waived in");
  await person.ends();
  expect(await state()).toMatchObject({ current_phase: 3 });
  expect(await finish(item)).toMatchObject({ isError: true, error: "conflict" });
  await complete(3, { redo: [], findings: 0 });
  const strict = await runCli(["verify", "--require", "each", "--root", project.root]);
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining("items.b was waived")]);
  const allowed = await runCli(["verify", "--require", "each", "--allow-waived", "--root", project.root]);
  expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
});

test("items of a parent that went back, ended or was archived are refused, and save nothing", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const window = await openWindow(project.root);
  const { session, open, finish, complete, read } = await planned(window, ["a", "b"]);
  const { session_id: old } = await open("a");
  const back = sitDown().runs(project, ["back", "1", "--session", session, "--yes"]);
  await back.ends();
  expect(await finish(old)).toMatchObject({ isError: true, error: "conflict" });
  await complete(1, { parts: ["a"] });
  expect((await read()).items).toEqual({ total: 1, open: [], ready: ["a"] });
  const fresh = await open("a");
  expect(fresh.session_id).toBe(`${session}/2.2/a`);
  const archive = sitDown().runs(project, ["archive", session]);
  await archive.ends();
  expect(await finish(fresh.session_id)).toMatchObject({ isError: true, error: "conflict" });
  expect(await open("a")).toMatchObject({ isError: true, error: "conflict" });
});

test("only goes back for the items named; the others carry over", async () => {
  const review = "then:\n  - { when: findings > 0, back_to: build, at_most: 2, only: redo }";
  const project = itemProject("{ in: plan.parts, parallel: 3 }", { review });
  const window = await openWindow(project.root);
  const { session, settle, complete, read, open, state } = await planned(window, ["a", "b", "c"]);
  for (const item of ["a", "b", "c"]) await settle(item);
  const empty = await complete(3, { redo: [], findings: 1 });
  expect(empty.missing_evidence).toEqual(["redo (validation failed: it names no item; items: a, b, c)"]);
  const unknown = await complete(3, { redo: ["x"], findings: 1 });
  expect(unknown.missing_evidence?.[0]).toContain("there is no item x");
  expect(await complete(3, { redo: ["b"], findings: 1 })).toMatchObject({
    next_phase: 2,
    round: 2,
    items: { total: 3, ready: ["b"] },
  });
  expect((await open("b")).session_id).toBe(`${session}/2.2/b`);
  expect(await open("a")).toMatchObject({ error: "conflict" });
  await settle("b");
  expect((await read()).phase_number).toBe(3);
  await complete(3, { redo: [], findings: 0 });
  expect(await state()).toMatchObject({ workflow_complete: true });
  const { code, stdout } = await runCli(["verify", "--require", "each", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
});

test("what items found is collected as evidence of the step, and routes can read it", async () => {
  const more =
    "collect: { findings: do.findings }\nevidence_schema:\n  findings: { type: integer, required: true }\nthen:\n  - { when: findings > 2, back_to: plan, at_most: 1 }";
  const window = await openWindow(itemProject("{ in: plan.parts, parallel: 2 }", { more }).root);
  const { settle, state, complete } = await planned(window, ["a", "b"]);
  await settle("a", { findings: 2, verdict: "good" });
  await settle("b", { findings: 1, verdict: "good" });
  expect(await state()).toMatchObject({ current_phase: 1 });
  await complete(1, { parts: ["c"] });
  await settle("c", { findings: 1, verdict: "good" });
  expect(await state()).toMatchObject({ current_phase: 3, phase_artifacts: { "2": { findings: 1 } } });
});

test("a step that asks for evidence besides its items waits for it", async () => {
  const more = "evidence_schema:\n  note: { type: string, required: true }";
  const window = await openWindow(itemProject("{ in: plan.parts }", { more }).root);
  const { settle, state, complete } = await planned(window, ["a"]);
  await settle("a");
  expect(await state()).toMatchObject({ current_phase: 2 });
  expect(await complete(2, { note: "all built" })).toMatchObject({ checkpoint_passed: true, next_phase: 3 });
});
