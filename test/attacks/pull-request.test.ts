import { cpSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { acceptHistory, listAcceptable } from "../../src/audit/accept-history.ts";
import { auditStreams } from "../../src/audit/audit-streams.ts";
import { sha256 } from "../../src/kit/sha256.ts";
import { type JournalRecord, toLine } from "../../src/stores/chain/journal-record.ts";
import { type Ended, runCli } from "../command-line.ts";
import { enrolled, signer, streamOf } from "../people.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { actions, type Project, projectAt } from "../project.ts";
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
import { git } from "../repository.ts";
import { oneOf } from "../whole.ts";
import { openWindow } from "../window.ts";

test("a pull request that was walked by the agreed definitions passes, also after the main branch moved on", async () => {
  const project = agreed();
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  expect(await judge(clone)).toMatchObject({ code: 0, stdout: expect.stringContaining("completed as defined") });
  project.write(gate, asking(5));
  commit(project, "five sources from now on");
  const moved = await judge(clone);
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining("Compared with the base origin/main")]);
  git(clone.root, "merge", "-q", "-m", "up to date", "origin/main");
  expect((await judge(clone)).stdout).toContain("gather_context was judged by a different gate");
});

// Attack (pull request): Walk by the weakest gate that the main branch ever had, or that a merged branch had on its way
// -> Exit 1: only versions of the main branch itself count, since the branch came off
test("a pull request cannot pass by a walk that met the weakest gate the main branch ever had", async () => {
  const project = agreed();
  project.write(gate, asking(0));
  commit(project, "weak for a day");
  const clone = cloneOf(project);
  project.write(gate, asking(3));
  commit(project, "strict again");
  await walk(clone, "feature/weak", 0);
  const journal = clone.read(ofRun("feature/weak"));
  git(clone.root, "fetch", "-q");
  git(clone.root, "checkout", "-q", "-B", "feature/weak", "origin/main");
  clone.write(ofRun("feature/weak"), journal);
  commit(clone, "a walk by what once was");
  const judged = async (): Promise<void> => {
    const { code, stdout } = await judge(clone);
    expect([code, stdout]).toEqual([1, expect.stringContaining("gather_context was judged by a different gate")]);
  };
  await judged();
  project.write(gate, asking(5));
  commit(project, "the main branch moves on");
  await judged();
});

// Attack (pull request): Name the branch like a merged run, in any case or letters; copy, repeat or re-spell its history
// -> Exit 1: completed before this change, in the base
test.each(oneOf(3, [["feature/tea"], ["Feature/Tea"], ["ｆeature/tea"]]))(
  "a branch that is named like a merged run (%s) cannot pass by the walk of that run",
  async (branch) => {
    const project = agreed();
    const first = cloneOf(project, "feature/tea");
    await walk(first, "feature/tea");
    merge(project, first, "feature/tea");
    const clone = cloneOf(project, branch === "feature/tea" ? "feature/tea" : branch);
    clone.write("feature.md", "nothing of it was walked\n");
    commit(clone, "a feature");
    for (const more of [[], ["--run", branch]]) {
      const { code, stdout } = await judge(clone, ...more);
      expect([code, stdout]).toEqual([1, expect.stringContaining("completed before this change, in the base")]);
    }
  },
);

// Attack (pull request): Remove, cut, reorder or rewrite a history of the base, put it into a submodule, or put files of one machine into git
// -> Exit 1, on a machine that has seen nothing
test("a pull request cannot remove one run's history or change the last record of another", async () => {
  const project = agreed();
  for (const run of ["one", "two"]) await walk(project, run);
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  clone.remove(ofRun("one"));
  clone.write(
    ofRun("two"),
    clone.read(ofRun("two")).replace(/"confirmation":"yes"|"text":"yes"(?=[^\n]*\n$)/, '"text":"sure"'),
  );
  commit(clone, "tidied up");
  const { code, stdout } = await judge(clone);
  expect(code).toBe(1);
  expect(stdout).toMatch(/one\.jsonl: \d+ records of the base, and here its history is gone/);
  expect(stdout).toMatch(/two\.jsonl: record \d+ is not the one of the base/);
});

// Attack (pull request): Edit or link definitions, settings, approvers or the identity, also by a merge of its own
// -> Exit 1: the base's definitions judge, and a change of them is named
test("a pull request cannot change what judges it: definitions, settings or approvers, without --allow-definitions", async () => {
  const project = agreed();
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  clone.write(".waymark/approvers.json", { approvers: [] });
  clone.write(".waymark/config.json", { history: "committed", strict: false });
  commit(clone, "settings");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("edits the definitions: approvers.json, config.json")]);
  expect((await judge(clone, "--allow-definitions")).code).toBe(0);
});

// Attack (pull request): Commit a marker of one machine, so that clones begin again
// -> Nothing: it means nothing elsewhere
test("a marker that one machine committed says nothing on another: no clone begins again", async () => {
  const project = agreed();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: { sources: 3 }, confirmation: "yes" });
  await window.close();
  git(project.root, "add", "-f", ".waymark/journal/story_bot.published");
  commit(project, "with the marker");
  const clone = cloneOf(project);
  const next = await openWindow(clone.root);
  expect(await next.call("shape_bot")).toMatchObject({ action: "decide_planning_criteria" });
  await next.close();
});

// Attack (file tools): Roll a history back after a machine has only verified it
// -> Exposed by `verify` (exit 1)
test("a machine that only ever verified a history notices that it was rolled back", async () => {
  const project = agreed();
  await walk(project);
  const clone = cloneOf(project);
  const verify = (): Promise<Ended> => runCli(["verify", "--root", clone.root]);
  expect((await verify()).code).toBe(0);
  const journal = ".waymark/journal/story_bot.jsonl";
  clone.write(journal, `${clone.read(journal).split("\n").slice(0, 3).join("\n")}\n`);
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining("rolled back") });
});

// Attack (pull request): Have a file approved by key, then change or leave it out
// -> Exit 1: what was approved is not in the tree
test("an approved walk passes while what was approved is in the tree, and not when it is gone or changed", async () => {
  const dana = signer("dana");
  const project = await agreedWithDana(dana, "5e".repeat(16));
  const clone = cloneOf(project, "feature/tea");
  await enrolled(clone, dana);
  await approvedWalk(clone, dana, "feature/tea");
  const passed = await judge(clone);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("approved by dana with the key")]);
  clone.write("plan.md", "# Another plan\n");
  commit(clone, "changed");
  expect((await judge(clone)).stdout).toContain("what was approved is not in the tree: plan.md differs");
  clone.remove("plan.md");
  commit(clone, "gone");
  const gone = await judge(clone);
  expect([gone.code, gone.stdout]).toEqual([1, expect.stringContaining("plan.md does not exist")]);
  expect(gone.stdout).toMatch(/claimed: .*approved by dana .*, on other files/);
});

// Attack (pull request): Bring a history with a proven approval from another project, every hash right, with or without a record that a person accepted it
// -> Exit 1: it belongs to another project, or the approval is about another history
test("a history with a proven approval counts in its own project alone, however it gets into another", async () => {
  const dana = signer("dana");
  const other = await agreedWithDana(dana, "07".repeat(16));
  await approvedWalk(other, dana, "feature/tea");
  const project = await agreedWithDana(dana, "5e".repeat(16));
  const journal = ofRun("feature/tea");
  const bring = (change: (text: string) => string, files: readonly string[] = []): Project => {
    const clone = cloneOf(project, "feature/tea");
    clone.write("plan.md", "# Plan\n");
    clone.write(journal, change(other.read(journal)));
    for (const file of files) clone.write(file, other.read(file));
    return clone;
  };
  const foreign = "its history belongs to another project and was copied here";
  const attempts: readonly (readonly [Project, string])[] = [
    [bring((text) => text), foreign],
    [bring((text) => text, [".waymark/identity.json"]), "edits the definitions: identity.json"],
    [bring((text) => text, [".waymark/identity.json"]), foreign],
    [bring((text) => withEvents(text, [], { type: "identified", project: "5e".repeat(16), later: true })), foreign],
    [bring((text) => withEvents(text, ["identified"])), "its history names no project"],
    [
      bring((text) => withEvents(text, ["identified"], { type: "identified", project: "5e".repeat(16), later: true })),
      "the first record of its history names no project",
    ],
    [bring((text) => text.replaceAll("07".repeat(16), "5e".repeat(16))), "one of the two was changed"],
    [bring((text) => withEvents(text.replaceAll("07".repeat(16), "5e".repeat(16)), [])), "it is about another history"],
  ];
  for (const [clone, said] of attempts) {
    commit(clone, "copied");
    const { code, stdout } = await judge(clone);
    expect([code, stdout]).toEqual([1, expect.stringContaining(said)]);
  }
});

const attacks: readonly (readonly [string, (clone: Project) => Promise<void> | void, RegExp])[] = [
  [
    "copies a merged run's history to its own name",
    (clone) => clone.write(ofRun("feature/tea"), clone.read(ofRun("old"))),
    /belongs to story_bot \(run old\) and was copied here/,
  ],
  [
    "moves a merged run's history to a name in capitals",
    (clone) => git(clone.root, "mv", ofRun("old"), ofRun("OLD")),
    /old\.jsonl: \d+ records of the base, and here its history is gone/,
  ],
  [
    "does the last step of a merged run again",
    async (clone) => {
      const window = await openWindow(clone.root);
      await window.call("shape_bot", { run: "old", action: "validate_rules", resume: "retry" });
      await window.call("complete_action", { run: "old", evidence: { sources: 3 }, confirmation: "yes" });
      await window.close();
    },
    /completed before this change, in the base/,
  ],
  [
    "puts a record of its own before the base's last one, which is then set aside, and says that a person accepted it",
    (clone) => {
      const lines = linesOf(clone, ofRun("old"));
      const last: JournalRecord = JSON.parse(lines.at(-1) ?? "");
      const theirs = sha256(lines.at(-1) ?? "");
      const at = new Date(0).toISOString();
      const accepted = [{ type: "accepted" as const, at, by: "x", what: ["fine"], hashes: [theirs] }];
      const own = toLine({ ...last, op: "x", events: [...last.events, ...accepted] });
      clone.write(ofRun("old"), `${[...lines.slice(0, -1), own.text, lines.at(-1)].join("\n")}\n`);
    },
    /old\.jsonl: record \d+ is not the one of the base/,
  ],
  [
    "cuts a merged run",
    (clone) => clone.write(ofRun("old"), `${linesOf(clone, ofRun("old")).slice(0, -1).join("\n")}\n`),
    /those from record 10 on are missing here/,
  ],
  [
    "writes a merged run again from its first record, every hash right",
    (clone) => clone.write(ofRun("old"), withEvents(clone.read(ofRun("old")), [], { type: "archived" })),
    /is not the one of the base/,
  ],
  [
    "makes the definitions folder a link to its own",
    (clone) => {
      cpSync(clone.path(".waymark"), clone.path("own"), { recursive: true });
      clone.write("own/base_actions/gather_context/gate-definition.yaml", asking(0));
      clone.remove(".waymark");
      symlinkSync("own", clone.path(".waymark"));
    },
    /\.waymark is a link/,
  ],
  [
    "brings the histories of the base by a link",
    (clone) => {
      cpSync(clone.path(".waymark/journal"), clone.path("own"), { recursive: true });
      clone.remove(".waymark/journal");
      symlinkSync("../own", clone.path(".waymark/journal"));
    },
    /journal is a link/,
  ],
  [
    "brings a folder with the name of the base",
    (clone) => clone.write("origin/main/.waymark/config.json", {}),
    /is a folder and a commit/,
  ],
  [
    "brings files of one machine",
    (clone) => {
      clone.write(".waymark/held/story_bot/x.json", "{}");
      clone.write(".waymark/journal/story_bot.published", "{}");
      git(clone.root, "add", "-f", ".waymark/held", ".waymark/journal/story_bot.published");
    },
    /story_bot\.published: it belongs to one machine/,
  ],
  [
    "brings a definition that the engine would take for its own file",
    (clone) => clone.write(".waymark/base_actions/journal/action_config.json", { name: "journal" }),
    /edits the definitions: base_actions\/journal/,
  ],
  [
    "edits workflow_state.json of its run to its end",
    async (clone) => {
      const window = await openWindow(clone.root);
      await window.call("shape_bot", { run: "feature/tea" });
      await window.close();
      const file = ".waymark/runs/story_bot/feature/tea/workflow_state.json";
      const state = clone.json(file);
      const done = actions.map((name) => ({
        action_state: `story_bot.shape.${name}`,
        timestamp: new Date().toISOString(),
      }));
      clone.write(file, {
        ...state,
        current_action: "story_bot.shape.validate_rules",
        action_state: "completed",
        completed_actions: done,
      });
      const again = await openWindow(clone.root);
      await again.call("shape_bot", { run: "feature/tea" });
      await again.close();
    },
    /is not finished|counts only because of an edit/,
  ],
  [
    "brings a whole project in a folder below, with a walk of its own",
    async (clone) => {
      cpSync(clone.path(".waymark"), clone.path("sub/.waymark"), { recursive: true });
      const sub = projectAt(clone.path("sub"));
      sub.write(gate, asking(0));
      const window = await openWindow(sub.root);
      for (const _ of actions) await window.pass("shape_bot", { evidence: { sources: 0 } });
      await window.close();
    },
    /completed before this change/,
  ],
];

test.each(oneOf(3, attacks))("a pull request cannot pass when it %s", async (_, attack, said) => {
  const project = agreed();
  await walk(project, "old");
  const clone = cloneOf(project, "feature/tea");
  await attack(clone);
  commit(clone, "attack");
  const { code, stdout, stderr } = await judge(clone);
  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(said)]);
});

// Attack (pull request): Push a tag or bring a folder with the name of the base
// -> Refused: the name is ambiguous
test("a tag that is named like the base is not taken for it", async () => {
  const project = agreed();
  const clone = cloneOf(project, "feature/tea");
  clone.write(gate, asking(0));
  commit(clone, "weak");
  git(clone.root, "tag", "origin/main");
  await walk(clone, "feature/tea", 0);
  const { code, stderr } = await judge(clone);
  expect([code, stderr]).toEqual([1, expect.stringContaining("name the one that is meant in full")]);
});

test("a merge made by the author cannot move the base back to a weaker gate", async () => {
  const project = agreed();
  const clone = cloneOf(project);
  project.write(gate, asking(5));
  commit(project, "five sources from now on");
  git(clone.root, "checkout", "-q", "-b", "feature/tea");
  await walk(clone, "feature/tea", 3);
  git(clone.root, "fetch", "-q");
  git(clone.root, "checkout", "-q", "-b", "merged", "origin/main");
  git(clone.root, "merge", "-q", "--no-ff", "-m", "as if merged", "feature/tea");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("judged by a different gate")]);
});

test("a walk that another pull request brought in since is not new, however old the branch is", async () => {
  const project = agreed();
  const first = cloneOf(project, "feature/tea");
  const clone = cloneOf(project, "feature/late");
  clone.write("feature.md", "nothing of it was walked\n");
  commit(clone, "a feature");
  await walk(first, "feature/tea");
  merge(project, first, "feature/tea");
  git(clone.root, "fetch", "-q");
  git(clone.root, "merge", "-q", "--no-ff", "-m", "merge", "origin/main");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("completed before this change, in the base")]);
});

test("where git keeps the histories, the default run of a branch is its own, and the main branch's is not", async () => {
  const project = agreed();
  const clone = cloneOf(project, "Feature/Tea Party".replace(" ", "+"));
  await walk(clone);
  expect(linesOf(clone, ofRun("feature/tea-party"))).toHaveLength(10);
  git(clone.root, "checkout", "-q", "main");
  await walk(clone);
  expect(linesOf(clone, ".waymark/journal/story_bot.jsonl")).toHaveLength(10);
});

test("a project from before identities gets one from a person's first decision, and its histories name it from then on", async () => {
  const project = agreed();
  project.remove(".waymark/identity.json");
  await walk(project);
  commit(project, "before");
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
  expect((await runCli(["back", "validate_rules", "--root", project.root])).code).toBe(0);
  const { project: identity } = project.json(".waymark/identity.json");
  const log = await runCli(["log", "--root", project.root, "--json"]);
  expect(log.stdout).toContain(`"project": "${String(identity)}"`);
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
  const clone = cloneOf(project);
  expect((await runCli(["init", "--new-identity", "--root", clone.root])).code).toBe(0);
  expect(clone.json(".waymark/identity.json")).not.toEqual({ project: identity });
  expect((await runCli(["verify", "--root", clone.root])).stdout).toContain("Nothing is recorded yet");
});

test("what a check proved on other files than the tree has counts as claimed", async () => {
  const project = agreed();
  project.write("test.cjs", "process.exit(0);\n");
  project.write("src/tea.txt", "hot\n");
  const check = "checks:\n  - {name: tests, run: [node, test.cjs], reads: [src/**]}\n";
  project.write(gate, `${asking(3)}${check}`);
  commit(project, "tests");
  const clone = cloneOf(project, "feature/tea");
  await runCli(["trust", "--root", clone.root, "--yes"]);
  await walk(clone, "feature/tea");
  const passed = await judge(clone);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("verified: tests, run then:")]);
  clone.write("src/tea.txt", "cold\n");
  commit(clone, "cold");
  expect((await judge(clone)).stdout).toMatch(/claimed: .*tests, run then: .*, on other files/);
});

test("a phased session of a pull request counts by its own completions, and one of the base does not", async () => {
  const project = agreed();
  addWorkflow(project);
  commit(project, "a workflow");
  const clone = cloneOf(project, "feature/tea");
  const walkPhases = async (target: string): Promise<void> => {
    const window = await openWindow(clone.root);
    const begun = { workflow_type: "survey", target_file: target };
    const { session_id, total_phases } = await callPhase(window, "start_workflow", begun);
    for (let phase = 1; phase <= Number(total_phases); phase++)
      await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) });
    await window.close();
    commit(clone, "walked");
  };
  await walkPhases("a.ts");
  const survey = ["--require", "survey", "--run", "feature/tea"];
  expect((await judge(clone, ...survey)).code).toBe(0);
  merge(project, clone, "feature/tea");
  expect((await judge(clone, ...survey)).stdout).toContain("completed before this change, in the base");
});

test("a history of another project completes nothing here until a person takes it over", async () => {
  const [project, other] = [agreed(), agreed()];
  other.write(".waymark/identity.json", { project: "07".repeat(16) });
  const window = await openWindow(other.root);
  await window.call("shape_bot");
  await window.close();
  const journal = ".waymark/journal/story_bot.jsonl";
  project.write(journal, other.read(journal));
  const here = await openWindow(project.root);
  const refused = await here.call("complete_action", { evidence: { sources: 3 }, confirmation: "yes" });
  await here.close();
  expect(refused).toMatchObject({ status: "refused", error: "invalid_definition" });
  expect(JSON.stringify(refused)).toContain("belongs to another project");
  const workplace = openWorkplace({ root: project.root });
  for (const one of listAcceptable(await auditStreams(await workplace.logs(), [])))
    expect(await acceptHistory(one, { at: new Date().toISOString(), by: "a person" })).toBeUndefined();
  workplace.close();
  const again = await openWindow(project.root);
  const taken = await again.call("complete_action", { evidence: { sources: 3 }, confirmation: "yes" });
  await again.close();
  expect(taken).toMatchObject({ status: "completed", action: "gather_context" });
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
});

test("an approval from before the project had an identity keeps its form and counts beside a later one", async () => {
  const [dana, lee] = [signer("dana"), signer("lee")];
  const project = agreed();
  project.remove(".waymark/identity.json");
  project.write(gate, "approval: {level: proven, by: [dana, lee], count: 2}\n");
  for (const one of [dana, lee]) await enrolled(project, one);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { plan: "tea" }, confirmation: "they agree" });
  const { answers, waiting } = await streamOf(project);
  const first = dana.signs({ ...(await waiting()).about, decision: "approve" });
  expect([first.statement.v, await answers(first)]).toEqual([1, "awaiting"]);
  project.write(".waymark/identity.json", { project: "5e".repeat(16) });
  const later = await openWindow(project.root);
  await later.call("shape_bot", { resume: "continue" });
  await later.close();
  const second = lee.signs({ ...(await waiting()).about, decision: "approve" });
  expect([second.statement.v, await answers(second)]).toEqual([2, "completed"]);
  await window.close();
  expect(await runCli(["verify", "--root", project.root])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/approved by dana[\s\S]*approved by lee/),
  });
});

test("what a pull request adds to the definitions judges nothing of it, also with --allow-definitions", async () => {
  const [dana, mallory] = [signer("dana"), signer("dana")];
  const project = await agreedWithDana(dana, "5e".repeat(16));
  const clone = cloneOf(project, "feature/tea");
  await enrolled(clone, mallory);
  await approvedWalk(clone, mallory, "feature/tea");
  const signed = await judge(clone, "--allow-definitions");
  expect([signed.code, signed.stdout]).toEqual([1, expect.stringContaining("its key belongs to no approver")]);
  const weaker = cloneOf(project, "feature/weak");
  weaker.write(gate, asking(0));
  await walk(weaker, "feature/weak", 0);
  const weak = await judge(weaker, "--allow-definitions");
  expect([weak.code, weak.stdout]).toEqual([
    1,
    expect.stringContaining("gather_context was judged by a different gate"),
  ]);
});
