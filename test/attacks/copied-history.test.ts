import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const own = ".waymark/journal/story_bot.jsonl";
const ofRun = (run: string): string => `.waymark/journal/runs/story_bot/${run}.jsonl`;

/** A project in which one run was walked to its end. */
async function walked(run?: string): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  const named = run === undefined ? {} : { run };
  for (const _ of actions) {
    await window.call("shape_bot", named);
    await window.call("complete_action", { ...named, confirmation: "yes" });
  }
  await window.close();
  return project;
}

function required(project: Project, ...more: string[]): Promise<Ended> {
  return runCli(["verify", "--require", "shape", "--root", project.root, ...more]);
}

test.each([
  ["of an old run is copied", "old", ofRun("old"), ofRun("new"), ["--run", "new"], copyFileSync],
  ["of an old run is renamed", "old", ofRun("old"), ofRun("new"), ["--run", "new"], renameSync],
  ["of the project's own run is copied", undefined, own, ofRun("new"), ["--run", "new"], copyFileSync],
  ["of a run becomes the project's own", "old", ofRun("old"), own, [], copyFileSync],
] as const)(
  "with a shell: the history %s to pass for work that nobody did: verify names whose it was, exit 1",
  async (_, run, from, to, more, put) => {
    const project = await walked(run);
    expect(await required(project, ...(run === undefined ? [] : ["--run", run]))).toMatchObject({ code: 0 });
    mkdirSync(dirname(project.path(to)), { recursive: true });
    put(project.path(from), project.path(to));
    const { code, stdout } = await required(project, ...more);
    const begunAs = run === undefined ? "story_bot" : "story_bot (run old)";
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`its history was begun as that of ${begunAs}, and put here`),
    ]);
  },
);
