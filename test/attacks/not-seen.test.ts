import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, onTestFinished, test } from "vitest";
import { toLine } from "../../src/stores/chain/journal-record.ts";
import { openMachineState } from "../../src/stores/file/trust/machine-state.ts";
import { seal } from "../../src/stores/file/trust/seal.ts";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** What is not seen, tried all the same: the day it is seen, a row of docs/security.md is to be changed. */

const journal = ".waymark/journal/story_bot.jsonl";
const verify = (project: Project, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", project.root, ...more]);

async function passed(count: number, args: object = {}): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  for (let done = 0; done < count; done++) await window.pass("shape_bot", { outputs: { note: "honest" }, ...args });
  await window.close();
  return project;
}

/** Writes the records of a history anew, each of its events changed, with the right hashes; a run of text for the journal. */
function rewritten(project: Project, change: (event: Event) => Event): string {
  let prev = "0".repeat(64);
  const lines = project
    .read(journal)
    .trim()
    .split("\n")
    .map((text) => {
      const record = JSON.parse(text);
      const line = toLine({ ...record, prev, events: record.events.map(change) });
      prev = line.hash;
      return line.text;
    });
  return `${lines.join("\n")}\n`;
}

// Attack (shell): Read definitions in its workspace
// -> Not seen: keep them elsewhere (`serve --definitions DIR`)
test("with a shell: the definitions that lie in the workspace are read, and nobody notices", async () => {
  const project = await passed(0);
  const before = project.read(".waymark/base_actions/render_output/instructions.md");
  expect(before).toContain("render_output");
  expect(await verify(project)).toMatchObject({ code: 0 });
});

// Attack (file tools): Add a record that fits the end of the history
// -> Not seen; it is in `log` like any other, and `verify --require` judges its evidence again
test("with file tools: a record that fits the end of the history is believed; it stands in the log like any other", async () => {
  const project = await passed(1);
  const text = project.read(journal).trim();
  const records = text.split("\n").map((line) => JSON.parse(line));
  const last = records.at(-1);
  const { hash } = toLine(last);
  const [started] = records[0].events;
  const event = {
    ...started,
    type: "started",
    step: "decide_planning_criteria",
    by: "nobody",
    at: last.events.at(-1).at,
  };
  const forged = toLine({ ...last, seq: last.seq + 1, prev: hash, op: "forged", events: [event] });
  appendFileSync(project.path(journal), `${forged.text}\n`);
  expect(await verify(project)).toMatchObject({ code: 0 });
  expect((await runCli(["log", "--root", project.root])).stdout).toContain("decide_planning_criteria");
});

// Attack (yourself): Rewrite the whole history, hashes and files included, and make the machine forget (its state folder)
// -> Not seen by itself. Exposed by `verify --key` where heads were signed with a key that it does not have
test("with a shell outside the sandbox: the whole history written anew and the machine made to forget: a signed head alone shows it", async () => {
  const project = await passed(2);
  const keys = mkdtempSync(join(tmpdir(), "waymark-keys-"));
  onTestFinished(() => rmSync(keys, { recursive: true, force: true }));
  const key = join(keys, "key");
  await verify(project, "--new-key", key);
  await verify(project, "--sign", key);
  const forge = (event: Event): Event =>
    event.type === "completed" ? { ...event, outputs: { note: "forged" } } : event;
  writeFileSync(project.path(journal), rewritten(project, forge));
  for (const file of ["activity_log.json", ".waymark/journal/story_bot.checkpoint"])
    rmSync(project.path(file), { force: true });
  const home = process.env.XDG_STATE_HOME;
  onTestFinished(() => {
    process.env.XDG_STATE_HOME = home;
  });
  process.env.XDG_STATE_HOME = mkdtempSync(join(keys, "another-home-"));
  rmSync(project.path("workflow_state.json"));
  rmSync(project.path(".waymark/journal/story_bot.published"), { force: true });
  expect((await verify(project)).code).toBe(1); // the head that was signed
  rmSync(project.path(".waymark/heads"), { recursive: true });
  expect((await verify(project)).code).toBe(0);
  expect((await verify(project, "--key", `${key}.pub`)).code).toBe(1);
});

// Attack (yourself): Take the key of this machine, and seal a checkpoint of its own with it
// -> Not seen by the next call, which trusts it. Exposed by `verify`, which reads the journal and trusts no checkpoint
test("with a shell outside the sandbox: a checkpoint under the machine's own seal is believed by the next call, and by verify never", async () => {
  const project = makeProject();
  const file = project.path(".waymark/journal/story_bot.checkpoint");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  for (let number = 0; number < 10; number++)
    await window.call("complete_action", { outputs: { draft: `${number} ${"a draft of it".repeat(2400)}` } });
  await window.close();
  const bytes = readFileSync(file);
  const saved = deserialize(bytes.subarray(bytes.indexOf("\n") + 1));
  const { steps } = saved.tally.stream.runs.get("shape");
  const [step] = steps.values();
  const completion = { at: step.startedAt, by: "nobody", fingerprint: "", finished: false, next: null, notices: [] };
  steps.set("gather_context", { ...step, status: "completed", completion });
  const about = `checkpoint of ${JSON.stringify(["bot", "story_bot", ""])}`;
  const machineKey = openMachineState().key();
  if (machineKey === undefined) throw new Error("The machine has no key.");
  writeFileSync(file, Buffer.concat(seal(machineKey, about, serialize(saved))));
  const required = await verify(project, "--require", "shape");
  expect(required.stdout).toContain("gather_context, ");
  expect(required.code).toBe(1);
  const next = await openWindow(project.root);
  expect(await next.call("shape_bot")).toMatchObject({ action: "decide_planning_criteria" });
});

// Attack (file tools): Change a file on record after its completion, where no gate looks at it any more
// -> Not seen
test("with file tools: a file on record that no gate looks at any more is changed after its completion, and verify does not look", async () => {
  const project = await passed(1, { content: [{ path: "docs/map.md", text: "# Map\n" }] });
  writeFileSync(project.path("docs/map.md"), "# Something else\n");
  expect(await verify(project)).toMatchObject({ code: 0 });
});
