import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { keyed, reply, sitDown } from "../people.ts";
import { emptyProject } from "../phased.ts";
import { openWindow } from "../window.ts";
import { call, good, itemProject, one, planned, recorded } from "./item-calls.ts";

test("a blocked item frees its place, and a settled one cannot go back on its own", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 1 }");
  const window = await openWindow(project.root);
  const { open, finish, state } = await planned(window, ["a", "b"]);
  const a = await open("a");
  expect(await open("b")).toMatchObject({ error: "item_not_ready", message: expect.stringContaining("a") });
  await call(window, "complete_phase", { session_id: a.session_id, phase: 1, blocked: "The file is gone." });
  const b = await open("b");
  expect(b.error).toBeUndefined();
  await finish(b.session_id);
  const back = sitDown().runs(project, ["back", "1", "--session", b.session_id, "--yes"]);
  await back.sees("settled");
  await back.ends();
  await finish(a.session_id);
  expect(await state()).toMatchObject({ current_phase: 3 });
});

test("an item that is archived blocks its parent, and so its step waits for a person", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const window = await openWindow(project.root);
  const { session, open, read } = await planned(window, ["a", "b"]);
  const { session_id } = await open("a");
  const archive = sitDown().runs(project, ["archive", session_id]);
  await archive.ends();
  await read();
  expect((await runCli(["status", "--root", project.root])).stdout).toContain("Item a was archived");
  expect(await open("a")).toMatchObject({ error: "item_not_ready" });
  const answer = sitDown().runs(project, ["answer", session, "Once more."]);
  await answer.ends();
  expect((await open("a")).session_id).toBe(`${session}/2.1/a~2`);
});

test("items of a parent that a person ended are refused, and save nothing", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const page = project.read(".waymark/workflows/each.md");
  project.write(".waymark/workflows/each.md", page.replace("inputs:", "outcomes: [done, no-go]\ninputs:"));
  const window = await openWindow(project.root);
  const { session, open } = await planned(window, ["a", "b"]);
  const { session_id } = await open("a");
  const end = sitDown().runs(project, ["end", session, "no-go", "--reason", "The customer left."]);
  await reply(end, "[y/N]", "y");
  await end.sees("ended as no-go");
  await end.ends();
  const content = [{ path: "docs/late.md", text: "Late.\n" }];
  const late = await call(window, "complete_phase", { session_id, phase: 1, evidence: good, content });
  expect(late).toMatchObject({ isError: true, error: "conflict" });
  expect(() => project.read("docs/late.md")).toThrow();
  expect(await open("b")).toMatchObject({ isError: true, error: "conflict" });
});

test("a prefix of a session's id never matches its items, and lists show parents", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }");
  const window = await openWindow(project.root);
  const { session, open } = await planned(window, ["a"]);
  const { session_id } = await open("a");
  const named = (name: string) => runCli(["show", name, "--json", "--root", project.root]);
  expect((await named(session.slice(0, -3))).code).toBe(0);
  expect((await named(session_id.slice(0, -1))).stderr).toContain("There is no run");
  expect((await named(session_id)).stderr).toContain("Nothing has been submitted");
  const { stdout } = await runCli(["status", "--json", "--root", project.root]);
  const listed: readonly { session_id: string }[] = JSON.parse(stdout).sessions;
  expect(listed.map((one) => one.session_id)).toEqual([session]);
});

test("a placeholder that is the whole value of an input keeps its type, and a value is never read again", async () => {
  const project = emptyProject();
  project.write(
    ".waymark/workflows/one.md",
    one
      .replace(
        "task: { type: string, required: true }",
        "task: { type: integer, required: true }\n  text: { type: string }",
      )
      .replace("Do {{inputs.task}}", "Do {{inputs.task}} {{inputs.text}}"),
  );
  const gate = 'for_each: { in: [{ id: a, size: 3, note: "{{inputs.task}} {{item.id}}" }] }\nworkflow: one';
  const given = 'with: { task: "{{item.size}}", text: "{{item.note}}" }';
  project.write(".waymark/workflows/w.md", `# W\n\n## Phase 1: Do\n\n\`\`\`yaml gate\n${gate}\n${given}\n\`\`\`\n`);
  const window = await openWindow(project.root);
  const { session_id, error } = await call(window, "start_workflow", { workflow_type: "w" });
  expect(error).toBeUndefined();
  const started = await call(window, "start_workflow", { session_id, item: "a" });
  expect(started.phase_content?.content).toContain("Do 3 {{inputs.task}} {{item.id}} (a).");
});

test("a drop needs the approval level of its step", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 2 }", { more: "approval: { level: proven }" });
  const window = await openWindow(project.root);
  const { session, settle, state } = await planned(window, ["a", "b"]);
  await settle("a");
  const dana = await keyed(project, "dana");
  const drop = dana.runs(project, ["drop", session, "b", "--reason", "Not needed."]);
  await reply(drop, "Passphrase for dana", "correct horse");
  await drop.sees("Waived in");
  await drop.ends();
  expect((await state()).current_phase).toBe(2);
  expect(await runCli(["show", session, "--root", project.root])).toMatchObject({ code: 0 });
  const waived = recorded(project, session).find(({ type }) => type === "waived");
  expect(waived).toMatchObject({ level: "proven", person: { name: "dana" } });
});

test("an item whose session cannot begin is refused with the reason, and takes no place", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 1 }");
  const typed = one.replace("task: { type: string, required: true }", "task: { type: integer, required: true }");
  project.write(".waymark/workflows/one.md", typed);
  const page = project.read(".waymark/workflows/each.md");
  project.write(".waymark/workflows/each.md", page.replace("item.title", "item.size"));
  const window = await openWindow(project.root);
  const { open, read, settle } = await planned(window, [{ id: "a" }, { id: "b", size: 3 }, { id: "c", size: "x" }]);
  expect(await open("a")).toMatchObject({
    error: "invalid_input",
    message: expect.stringContaining("task is missing"),
  });
  expect(await open("c")).toMatchObject({ error: "invalid_input" });
  await settle("b");
  expect((await read()).items).toEqual({ total: 3, open: [], ready: ["a", "c"] });
});
