import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { actions, type Project } from "../project.ts";
import { commitAll, git, makeRepository } from "../repository.ts";
import { openWindow } from "../window.ts";

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
const asking = (least: number): string => `evidence_schema:\n  sources: {type: integer, validator: {min: ${least}}}\n`;

function commit(project: Project, message: string): void {
  commitAll(project.root, message);
}

async function walk(project: Project, sources: number): Promise<void> {
  const window = await openWindow(project.root);
  for (const _ of actions) await window.pass("shape_bot", { evidence: { sources } });
  await window.close();
}

const verify = (project: Project, ...more: string[]): Promise<Ended> =>
  runCli(["verify", "--root", project.root, "--require", "shape", ...more]);

describe("verify --require --versions", () => {
  // Attack (file tools): Weaken a gate on a branch of its own, for the walk alone
  // -> Exposed by `verify --require --versions`
  test("a walk that was judged by a gate that main had holds; by one that main never had it does not", async () => {
    const project = makeRepository();
    project.write(gate, asking(3));
    commit(project, "three sources");
    await walk(project, 3);
    project.write(gate, asking(5));
    commit(project, "five sources");
    expect((await verify(project)).code).toBe(1);
    const { code, stdout } = await verify(project, "--versions", "main");
    expect([code, stdout]).toEqual([0, expect.stringContaining("and 3 versions of them on main")]);
    const json = JSON.parse((await verify(project, "--versions", "main", "--json")).stdout);
    expect(json.required).toMatchObject({ met: true, versions: { ref: "main", read: 3, cut: false, shallow: false } });
    project.write(gate, asking(0));
    const window = await openWindow(project.root);
    await window.call("shape_bot", { action: "gather_context", resume: "retry" });
    await window.call("complete_action", { evidence: { sources: 0 }, confirmation: "yes" });
    for (const _ of actions.slice(1)) await window.pass("shape_bot");
    await window.close();
    project.write(gate, asking(5));
    expect(await verify(project, "--versions", "main")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        "gather_context was judged by a different gate than any of 4 versions of the definitions has",
      ),
    });
  });

  test("a weak gate that only the commits of a merged branch had is no version of main", async () => {
    const project = makeRepository();
    project.write(gate, asking(3));
    commit(project, "three sources");
    git(project.root, "checkout", "-q", "-b", "feature");
    project.write(gate, asking(0));
    commit(project, "weak");
    await walk(project, 0);
    project.write(gate, asking(3));
    project.write("notes.md", "done\n");
    commit(project, "put back");
    git(project.root, "checkout", "-q", "main");
    git(project.root, "merge", "-q", "--no-ff", "-m", "merge", "feature");
    expect((await verify(project, "--versions", "main")).code).toBe(1);
    expect((await verify(project, "--versions", "feature")).code).toBe(0);
  });

  test("a workflow that is gone or broken now does not hold by a version of before", async () => {
    const project = makeRepository();
    await walk(project, 0);
    project.write(gate, "evidence_schema: [\n");
    expect((await verify(project, "--versions", "main")).stdout).toContain("Not met: story_bot.shape is broken");
  });

  test("a branch that is none, an option in its place, no repository: said, exit 1, nothing left behind", async () => {
    const project = makeRepository();
    const temporary = mkdtempSync(join(tmpdir(), "waymark-temporary-"));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const ref of ["--output=stolen", "-h", "a b", "main:x", "../x", "nowhere"])
      expect(await verify(project, `--versions=${ref}`)).toMatchObject({ code: 1, stdout: "" });
    expect((await verify(project, "--versions=nowhere")).stderr).toContain(
      "this repository has no branch or commit nowhere",
    );
    project.remove(".git");
    expect((await verify(project, "--versions", "main")).stderr).toContain("is not in a readable git repository");
    expect((await runCli(["verify", "--root", project.root, "--versions", "main"])).stderr).toContain(
      "needs --require",
    );
    expect(readdirSync(temporary)).toEqual([]);
  });
});
