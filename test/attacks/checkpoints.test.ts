import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const checkpoint = ".waymark/journal/story_bot.checkpoint";
const notOurs = /story_bot\.checkpoint is not what Waymark saved/;

/** A project whose history is long enough for a checkpoint; its first action is open, and nothing is completed. */
async function begun(text = "a draft of it"): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  for (let number = 0; number < 10; number++)
    await window.call("complete_action", { outputs: { draft: `${number} ${text.repeat(2400)}` } });
  await window.close();
  expect(existsSync(project.path(checkpoint))).toBe(true);
  return project;
}

/** What is in a checkpoint, and what stands before that. */
function taken(project: Project): { readonly header: Buffer; readonly saved: ReturnType<typeof deserialize> } {
  const bytes = readFileSync(project.path(checkpoint));
  const end = bytes.indexOf("\n") + 1;
  return { header: bytes.subarray(0, end), saved: deserialize(bytes.subarray(end)) };
}

/** The checkpoint of a desk on which the whole of `shape` is done, which never happened. */
function finished(project: Project): Buffer {
  const { saved } = taken(project);
  const run = saved.tally.stream.runs.get("shape");
  const [step] = run.steps.values();
  const completion = { at: step.startedAt, by: "nobody", fingerprint: "", finished: true, next: null, notices: [] };
  for (const name of ["gather_context", "decide_planning_criteria", "build_knowledge", "render_output"])
    run.steps.set(name, { ...step, status: "completed", completion });
  return serialize(saved);
}

async function nextCall(project: Project) {
  const window = await openWindow(project.root);
  const answer = await window.call("shape_bot");
  await window.close();
  return answer;
}

const verify = (project: Project, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", project.root, ...more]);

test.each([
  ["under the seal that stood there", (project: Project) => Buffer.concat([taken(project).header, finished(project)])],
  [
    "as Waymark wrote them before there were seals",
    (project: Project) => {
      const body = finished(project);
      return Buffer.concat([createHash("sha256").update(body).digest(), body]);
    },
  ],
])("with file tools: a forged checkpoint, %s, opens nothing and passes nothing", async (_, forge) => {
  const project = await begun();
  writeFileSync(project.path(checkpoint), forge(project));
  expect(await verify(project, "--require", "shape")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(notOurs),
  });
  const answer = await nextCall(project);
  expect(answer).toMatchObject({ action: "gather_context" });
  expect(answer.warnings.join()).toMatch(notOurs);
  expect(project.state().completed_actions).toEqual([]);
  expect(await verify(project, "--require", "shape")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(notOurs),
  });
});

// Attack (file tools): Forge or exchange a checkpoint
// -> Not trusted; the next reply and `verify` say so
test("with file tools: a changed checkpoint is not believed, which verify and the next reply say", async () => {
  const project = await begun();
  writeFileSync(project.path(checkpoint), Buffer.concat([taken(project).header, finished(project)]));
  expect(await verify(project)).toMatchObject({ code: 1, stdout: expect.stringMatching(notOurs) });
  expect((await nextCall(project)).warnings.join()).toMatch(notOurs);
});

test("with file tools: a checkpoint copied from another project is not believed, and that is said", async () => {
  const [project, other] = [await begun(), await begun("something else")];
  copyFileSync(other.path(checkpoint), project.path(checkpoint));
  expect(await verify(project)).toMatchObject({ code: 1, stdout: expect.stringMatching(notOurs) });
  expect((await nextCall(project)).warnings.join()).toMatch(notOurs);
});

test("with file tools: the checkpoint of one run under the name of another is not believed, and that is said", async () => {
  const project = await begun();
  const window = await openWindow(project.root);
  await window.call("shape_bot", { run: "login" });
  await window.close();
  renameSync(project.path(checkpoint), project.path(".waymark/journal/runs/story_bot/login.checkpoint"));
  const { code, stdout } = await verify(project);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/login\.checkpoint is not what Waymark saved/)]);
});

test("nobody's doing: a project that was moved or copied, a machine without its key, a checkpoint cut by a crash", async () => {
  const project = await begun();
  const bytes = readFileSync(project.path(checkpoint));
  for (const spoil of [
    () => writeFileSync(project.path(checkpoint), bytes.subarray(0, bytes.length / 2)),
    () => writeFileSync(project.path(checkpoint), ""),
    () =>
      writeFileSync(
        project.path(checkpoint),
        Buffer.from(bytes.toString("latin1").replace(/ [0-9a-f]{16} /, ` ${"0".repeat(16)} `), "latin1"),
      ),
    () => rmSync(project.path(checkpoint)),
  ]) {
    spoil();
    expect((await verify(project)).code).toBe(0);
    expect((await nextCall(project)).warnings).toEqual([]);
  }
});
