import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/kit/sha256.ts";
import { type Ended, runCli } from "../command-line.ts";
import { call, good, one } from "../items/item-calls.ts";
import { signer } from "../people.ts";
import { actions, type Project } from "../project.ts";
import {
  agreed,
  agreedWithDana,
  approvedWalk,
  asking,
  cloneOf,
  commit,
  gate,
  judge,
  linesOf,
  merge,
  ofRun,
  walk,
  withEvents,
} from "../pull-request.ts";
import { commitAll, git } from "../repository.ts";
import { oneOf } from "../whole.ts";
import { openWindow } from "../window.ts";

const run = "feature/tea";

/** Ways to pass that somebody who knows the first ones would try; each needs a walk that is all right by itself. */
const variants: readonly (readonly [string, (clone: Project, project: Project) => Promise<void> | void, RegExp])[] = [
  [
    "puts the main branch's newer definitions back in a merge of its own making",
    async (clone, project) => {
      clone.write("x.md", "x");
      commit(clone, "x");
      project.write(gate, asking(5));
      commit(project, "five sources from now on");
      git(clone.root, "fetch", "-q");
      git(clone.root, "checkout", "-q", "-b", "walked", "origin/main");
      await walk(clone, run, 5);
      const journal = clone.read(ofRun(run));
      git(clone.root, "checkout", "-q", "-b", "merged", "origin/main");
      git(clone.root, "merge", "-q", "--no-ff", "--no-commit", run);
      clone.write(gate, asking(3));
      clone.write(ofRun(run), journal);
    },
    /edits the definitions: base_actions\/gather_context\/gate-definition\.yaml/,
  ],
  [
    "drops a history that the main branch has had since, in a merge",
    async (clone, project) => {
      await walk(clone, run);
      await walk(project, "later");
      git(clone.root, "fetch", "-q");
      git(clone.root, "merge", "-q", "--no-ff", "-m", "merge", "origin/main");
      clone.remove(ofRun("later"));
    },
    /later\.jsonl: 10 records of the base, and here its history is gone/,
  ],
  [
    "keeps its histories in a submodule, where the next change would find none of them in the base",
    async (clone) => {
      await walk(clone, run);
      const module = mkdtempSync(join(tmpdir(), "waymark-module-"));
      onTestFinished(() => rmSync(module, { recursive: true, force: true }));
      cpSync(clone.path(".waymark/journal"), module, { recursive: true });
      commitAll(module, "journal");
      git(clone.root, "rm", "-rq", "--cached", ".waymark/journal");
      clone.remove(".waymark/journal");
      git(clone.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module, ".waymark/journal");
    },
    /journal: a submodule, so the base does not have its histories/,
  ],
  ...["feature%2ftea", "%66eature%2Ftea", "FEATURE%2FTEA", "feature%252Ftea", "feature%2Ftea%00"].map(
    (name): (typeof variants)[number] => [
      `spells the file of a merged run in another way (${name})`,
      async (clone, project) => {
        await walk(project, run);
        git(clone.root, "pull", "-q", "origin", "main");
        const again = withEvents(clone.read(ofRun(run)), [], { type: "archived" });
        clone.write(`.waymark/journal/runs/story_bot/${name}.jsonl`, again);
      },
      /completed before this change, in the base/,
    ],
  ),
  [
    "writes the lines of a merged run with other spaces or more keys",
    async (clone, project) => {
      await walk(project, "old");
      git(clone.root, "pull", "-q", "origin", "main");
      const lines = linesOf(clone, ofRun("old"));
      clone.write(ofRun(run), `${lines.map((line) => line.replace("{", '{"x":1,')).join("\n")}\n`);
      clone.write(ofRun("other"), `${lines.map((line) => ` ${line}`).join("\n")}\n`);
    },
    /is not written as canonical JSON[\s\S]*record 1 cannot be read/,
  ],
  [
    "does one step of a second pass of a merged run",
    async (clone, project) => {
      await walk(project, run);
      git(clone.root, "pull", "-q", "origin", "main");
      const window = await openWindow(clone.root);
      await window.call("shape_bot", { run, resume: "restart" });
      await window.call("complete_action", { run, evidence: { sources: 3 }, confirmation: "yes" });
      await window.close();
    },
    /is not finished: decide_planning_criteria/,
  ],
  [
    "brings folders where histories belong",
    async (clone, project) => {
      await walk(project, "old");
      git(clone.root, "pull", "-q", "origin", "main");
      clone.remove(ofRun("old"));
      for (const one of ["old", run]) clone.write(`${ofRun(one)}/x`, "x");
    },
    /old\.jsonl: 10 records of the base, and here its history cannot be read/,
  ],
  [
    "has git check its histories out with other line ends",
    async (clone) => {
      await walk(clone, run);
      clone.write(".gitattributes", ".waymark/** text eol=crlf\n");
      commit(clone, "attributes");
      git(clone.root, "rm", "-rq", "--cached", ".");
      git(clone.root, "reset", "-q", "--hard");
    },
    /edits the definitions/,
  ],
  [
    "comes off a weaker commit inside a branch that the base has merged",
    async (clone, project) => {
      clone.write(gate, asking(0));
      commit(clone, "weak on the way");
      const weak = git(clone.root, "rev-parse", "HEAD").trim();
      clone.write(gate, asking(3));
      commit(clone, "as agreed");
      merge(project, clone, run);
      git(clone.root, "checkout", "-q", "-b", "weak", weak);
      await walk(clone, "weak", 0);
    },
    /gather_context was judged by a different gate/,
  ],
  [
    "brings back a history that a merge removed",
    async (clone, project) => {
      await walk(project, "old");
      const journal = project.read(ofRun("old"));
      git(project.root, "checkout", "-q", "-b", "side");
      commit(project, "x");
      git(project.root, "checkout", "-q", "main");
      git(project.root, "merge", "-q", "--no-ff", "--no-commit", "side");
      project.remove(ofRun("old"));
      commit(project, "merged, and tidied up");
      git(clone.root, "pull", "-q", "origin", "main");
      clone.write(ofRun("old"), journal);
    },
    /completed before this change, in the base/,
  ],
  [
    "brings back a history that was a link before it was removed",
    async (clone, project) => {
      await walk(project, "old");
      const journal = project.read(ofRun("old"));
      project.remove(ofRun("old"));
      symlinkSync("nothing", project.path(ofRun("old")));
      commit(project, "a link");
      project.remove(ofRun("old"));
      commit(project, "tidied up");
      git(clone.root, "pull", "-q", "origin", "main");
      clone.write(ofRun("old"), journal);
    },
    /completed before this change, in the base/,
  ],
  [
    "copies a merged run with a byte order mark before it",
    async (clone, project) => {
      await walk(project, "old");
      git(clone.root, "pull", "-q", "origin", "main");
      clone.write(ofRun(run), `\ufeff${clone.read(ofRun("old"))}`);
    },
    /was copied here/,
  ],
  [
    "has git check a copied history out with other line ends, by attributes of the project",
    async (clone, project) => {
      await walk(project, "old");
      git(clone.root, "pull", "-q", "origin", "main");
      clone.write(ofRun(run), clone.read(ofRun("old")));
      clone.write(".gitattributes", ".waymark/journal/** text eol=crlf\n");
      commit(clone, "attributes");
      git(clone.root, "rm", "-rq", "--cached", ".");
      git(clone.root, "reset", "-q", "--hard");
    },
    /completed before this change, in the base[\s\S]*was copied here/,
  ],
  [
    "links a folder of histories, or a history to a device",
    async (clone, project) => {
      await walk(project, "old");
      git(clone.root, "pull", "-q", "origin", "main");
      await walk(clone, run);
      cpSync(clone.path(".waymark/journal/runs"), clone.path("own"), { recursive: true });
      clone.remove(".waymark/journal/runs");
      symlinkSync("../../own", clone.path(".waymark/journal/runs"));
      symlinkSync("/dev/zero", clone.path(".waymark/journal/story_bot.jsonl"));
    },
    /runs\/story_bot\/old\.jsonl|is a link/,
  ],
  [
    "sets records of the base aside in a merge of its own making",
    async (clone, project) => {
      const window = await openWindow(project.root);
      await window.call("shape_bot", { run: "later" });
      await window.close();
      commit(project, "begun");
      git(clone.root, "pull", "-q", "origin", "main");
      await walk(clone, run);
      await walk(clone, "later");
      const own = linesOf(clone, ofRun("later"));
      await walk(project, "later");
      git(clone.root, "fetch", "-q");
      git(clone.root, "checkout", "-q", "-b", "merged", "origin/main");
      git(clone.root, "merge", "-q", "--no-ff", "-s", "ours", "-m", "merged", run);
      git(clone.root, "checkout", "-q", run, "--", ofRun(run));
      clone.write(ofRun("later"), `${[...own, ...linesOf(project, ofRun("later")).slice(1)].join("\n")}\n`);
      git(clone.root, "add", "-A");
      git(clone.root, "commit", "-q", "--amend", "-m", "merged");
    },
    /later\.jsonl.*set aside, kept and not counted/,
  ],
];

// Attack (pull request): Edit or link definitions, settings, approvers or the identity, also by a merge of its own
// Attack (pull request): Name the branch like a merged run, in any case or letters; copy, repeat or re-spell its history
// Attack (pull request): Remove, cut, reorder or rewrite a history of the base, put it into a submodule, or put files of one machine into git
// Attack (pull request): Walk by the weakest gate that the main branch ever had, or that a merged branch had on its way
test.each(oneOf(5, variants))("a pull request cannot pass when it %s", async (_, attack, said) => {
  const project = agreed();
  const clone = cloneOf(project, run);
  await attack(clone, project);
  commit(clone, "attack");
  const { code, stdout, stderr } = await judge(clone);
  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(said)]);
});

// Attack (pull request): Bring a history with a proven approval from another project, every hash right, with or without a record that a person accepted it
test("a pull request cannot take over a history of another project by saying that a person accepted it", async () => {
  const dana = signer("dana");
  const other = await agreedWithDana(dana, "07".repeat(16));
  await approvedWalk(other, dana, run);
  const project = await agreedWithDana(dana, "5e".repeat(16));
  const clone = cloneOf(project, run);
  clone.write("plan.md", "# Plan\n");
  const hashes = [sha256(`${sha256(linesOf(other, ofRun(run))[0] ?? "")} in ${"5e".repeat(16)}`)];
  clone.write(ofRun(run), withEvents(other.read(ofRun(run)), [], { type: "accepted", what: ["fine"], hashes }));
  commit(clone, "copied");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("was not given on this machine")]);
});

// Attack (pull request): Complete a step for each item by items that were done before
// -> Exit 1: the items were completed before this change, in the base
test("a pull request cannot complete a step for each item by items of the base", async () => {
  const project = agreed();
  project.write(".waymark/workflows/one.md", one);
  const forEach = 'for_each: {in: [a], parallel: 1}\nworkflow: one\nwith: {task: "{{item.title}}"}\n';
  const asked = "evidence_schema:\n  ok: {type: boolean, required: true}\n";
  project.write(
    ".waymark/workflows/each.md",
    `# Each\n\n## Phase 1: Build\n\n\`\`\`yaml gate\n${forEach}${asked}\`\`\`\n`,
  );
  commit(project, "for each item");
  const build = async (at: Project): Promise<string> => {
    const window = await openWindow(at.root);
    const { session_id: parent } = await call(window, "start_workflow", { workflow_type: "each" });
    const { session_id } = await call(window, "start_workflow", { session_id: parent, item: "a" });
    await call(window, "complete_phase", { session_id, phase: 1, evidence: good });
    await window.close();
    commit(at, "built");
    return parent;
  };
  const complete = async (at: Project, session_id: string): Promise<Ended> => {
    const window = await openWindow(at.root);
    await call(window, "complete_phase", { session_id, phase: 1, evidence: { ok: true } });
    await window.close();
    commit(at, "completed");
    return judge(at, "--require", "each");
  };
  const honest = cloneOf(project, run);
  expect((await complete(honest, await build(honest))).code).toBe(0);
  const parent = await build(project);
  const { code, stdout } = await complete(cloneOf(project, run), parent);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("item a: phase 1: completed before this change, in the base"),
  ]);
});

test("where the base is a folder, files of one machine in the change are named as well", async () => {
  const project = agreed();
  const [clone, base] = [cloneOf(project, run), cloneOf(project)];
  await walk(clone, run);
  const against = (): Promise<Ended> =>
    runCli(["verify", "--root", clone.root, "--require", "shape", "--base", base.root], base.root);
  expect((await against()).code).toBe(0);
  clone.write(".waymark/journal/story_bot.published", "{}");
  git(clone.root, "add", "-f", ".waymark/journal/story_bot.published");
  commit(clone, "with a marker");
  const { code, stdout } = await against();
  expect([code, stdout]).toEqual([1, expect.stringContaining("story_bot.published: it belongs to one machine")]);
});

// Attack (pull request): Bring back a history that the main branch had once and removed
// -> Exit 1: completed before this change, in the base
test("a pull request cannot bring back a history that the main branch removed", async () => {
  const project = agreed();
  await walk(project, run);
  const journal = project.read(ofRun(run));
  project.remove(ofRun(run));
  commit(project, "tidied up");
  const base = cloneOf(project);
  const clone = cloneOf(project, run);
  clone.write(ofRun(run), journal);
  commit(clone, "as if walked");
  for (const named of ["origin/main", base.root]) {
    const machine = mkdtempSync(join(tmpdir(), "waymark-machine-"));
    onTestFinished(() => rmSync(machine, { recursive: true, force: true }));
    const verify = ["verify", "--root", clone.root, "--require", "shape", "--base", named];
    const { code, stdout } = await runCli(verify, base.root, { XDG_STATE_HOME: machine });
    expect([code, stdout]).toEqual([1, expect.stringContaining("completed before this change, in the base")]);
  }
});

test("a walk by a check's schema passes also after the main branch changed it; a walk by a weaker one of its own does not", async () => {
  const project = agreed();
  const schema = ".waymark/schemas/plan.json";
  project.write(schema, { type: "object", required: ["a"] });
  project.write(gate, `${asking(3)}checks:\n  - {name: plan, file: plan.json, schema: schemas/plan.json}\n`);
  commit(project, "a plan");
  const walkWith = async (clone: Project, plan: object): Promise<void> => {
    const window = await openWindow(clone.root);
    for (const _ of actions) {
      await window.call("shape_bot", { run });
      const content = [{ path: "plan.json", text: JSON.stringify(plan) }];
      await window.call("complete_action", { run, evidence: { sources: 3 }, confirmation: "yes", content });
    }
    await window.close();
    commit(clone, "walked");
  };
  const honest = cloneOf(project, run);
  await walkWith(honest, { a: 1 });
  const other = cloneOf(project, run);
  other.write(schema, { type: "object" });
  await walkWith(other, {});
  other.write(schema, { type: "object", required: ["a"] });
  commit(other, "as if nothing had been");
  project.write(schema, { type: "object", required: ["a", "b"] });
  commit(project, "more of a plan");
  expect((await judge(honest)).code).toBe(0);
  const { code, stdout } = await judge(other);
  expect([code, stdout]).toEqual([1, expect.stringContaining("its check plan ran with a different schema")]);
});

test("definitions with a link inside them judge as they are, and another target is a change", async () => {
  const project = agreed();
  cpSync(project.path(".waymark/base_actions/gather_context"), project.path(".waymark/shared"), { recursive: true });
  project.remove(".waymark/base_actions/gather_context");
  symlinkSync("../shared", project.path(".waymark/base_actions/gather_context"));
  commit(project, "a shared action");
  const clone = cloneOf(project, run);
  await walk(clone, run);
  const passed = await judge(clone);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("completed as defined")]);
  project.write("x.md", "x");
  commit(project, "moved on");
  expect((await judge(clone)).code).toBe(0);
  cpSync(clone.path(".waymark/shared"), clone.path(".waymark/other"), { recursive: true });
  clone.remove(".waymark/base_actions/gather_context");
  symlinkSync("../other", clone.path(".waymark/base_actions/gather_context"));
  commit(clone, "another target");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("edits the definitions: base_actions/gather_context")]);
});
