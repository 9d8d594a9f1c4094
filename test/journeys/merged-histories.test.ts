import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject, type Project, projectAt } from "../project.ts";
import { commitAll, git } from "../repository.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";
const attributes = ".waymark/journal/**/*.jsonl merge=union -text\n";
/** Everything of the engine's but the journals. */
const ignored = [
  "workflow_state.json",
  "activity_log.json",
  "/story_bot/",
  ...["tmp", "kept", "held", "sessions", "open"].map((folder) => `.waymark/${folder}/`),
  ".waymark/journal/**/*.published",
  ".waymark/journal/**/*.checkpoint",
  ".waymark/journal/**/*.shown",
];

type Repository = Project & { git(...args: readonly string[]): string; save(message: string): void };

function repositoryAt(root: string): Repository {
  const run = (...words: readonly string[]): string => git(root, ...words);
  return {
    ...projectAt(root),
    git: run,
    save: (message) => commitAll(root, message, "--allow-empty"),
  };
}

/** A repository with a committed history, in which the first action is done. */
async function begin({ union = true, done = 1 } = {}): Promise<Repository> {
  const repository = repositoryAt(makeProject().root);
  repository.write(".gitignore", `${ignored.join("\n")}\n`);
  repository.write(".waymark/config.json", { history: "committed" });
  if (union) repository.write(".gitattributes", attributes);
  await goOn(repository, done);
  repository.save("began");
  return repository;
}

function clone(from: Repository): Repository {
  const root = mkdtempSync(join(tmpdir(), "waymark-clone-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  from.git("clone", "-q", from.root, root);
  return repositoryAt(root);
}

/** Somebody passes so many actions of the first behavior, in a chat of their own. */
async function goOn({ root }: Repository, count: number, name = "somebody's assistant"): Promise<void> {
  const window = await openWindow(root, { name });
  for (let passed = 0; passed < count; passed++) await window.pass("shape_bot");
  await window.close();
}

const verify = (repository: Repository, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", repository.root, ...more]);

async function audited(repository: Repository) {
  const { stdout, code } = await verify(repository, "--json");
  const [stream] = JSON.parse(stdout).desks;
  const independent: { happened: string[] }[] = stream.set_aside;
  return { code, ...stream, aside: independent.flatMap(({ happened }) => happened.map((one) => one.split(" on ")[0])) };
}

const lines = (repository: Repository): string[] => repository.read(journal).trimEnd().split("\n");

/** The warnings of one chat's first two calls. */
async function firstWarnings({ root }: Repository): Promise<readonly string[]> {
  const window = await openWindow(root);
  const said = [await window.call("shape_bot"), await window.call("shape_bot")].map(({ warnings }) => warnings.join());
  await window.close();
  return said;
}

describe("one run that went on on two git branches", () => {
  test("both clones end with one history; every record of the other side is named, and the work goes on", async () => {
    const mine = await begin();
    const theirs = clone(mine);
    await goOn(mine, 1);
    mine.save("mine");
    await goOn(theirs, 2, "their assistant");
    theirs.save("theirs");
    theirs.git("pull", "-q", "--no-rebase", "--no-edit");
    const set = ["started shape.decide_planning_criteria", "completed shape.decide_planning_criteria"];

    const merged = await audited(theirs);
    expect(merged).toMatchObject({ code: 1, records: 6, breaks: [], aside: set });
    const { stdout } = await verify(theirs);
    expect(stdout).toMatch(
      /story_bot: \.waymark\/journal\/story_bot\.jsonl, line 7 \(byte \d+\), record 3: set aside, kept and not counted: started shape\.decide_planning_criteria on 20\S+Z by \S/,
    );

    expect((await runCli(["status", "--root", theirs.root])).stdout).toContain("2 records were set aside");
    const said = await firstWarnings(theirs);
    expect(said[0]).toMatch(/2 records were set aside: .*waymark verify lists them/);
    expect(said[1]).toBe("");
    await goOn(theirs, 1);
    const { records, ...now } = await audited(theirs);
    expect(records).toBeGreaterThan(6);
    expect(now).toMatchObject({ breaks: [], aside: set });
    theirs.save("merged, and on");

    // The one whose side does not count has files that show it: they are ours, and nobody edited anything.
    mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
    expect(await audited(mine)).toMatchObject({
      records,
      aside: set,
      files: [{ verdict: "behind" }, { verdict: "behind" }],
    });
    const told = await firstWarnings(mine);
    expect(told[0]).toMatch(/^2 records were set aside/);
    expect(told[0]).not.toMatch(/edited|changed|gone back/);
    expect(mine.state()).toMatchObject({ current_action: "story_bot.shape.validate_rules" });
    const { stdout: log } = await runCli(["log", "--root", mine.root, "--verify", "--json"]);
    const rows: { mark?: string; event?: string; action_state?: string }[] = JSON.parse(log);
    expect(rows.filter(({ mark }) => mark === "set aside").map((row) => row.action_state)).toEqual([
      "started",
      "completed",
    ]);
    expect(rows.filter(({ event }) => event === "state_edited")).toEqual([]);
  });

  test("a side of one record is told from one that lost a race, also moments later", async () => {
    const mine = await begin();
    const theirs = clone(mine);
    for (const one of [mine, theirs]) {
      const window = await openWindow(one.root);
      await window.call("shape_bot");
      await window.close();
      one.save("one more");
    }
    mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
    const independent = ["started shape.decide_planning_criteria"];
    expect(await audited(mine)).toMatchObject({ code: 1, records: 3, aside: independent });
  });

  test("whoever goes to another branch finds its history there, and has edited nothing; a merge sets one record aside", async () => {
    const repository = await begin();
    const open = async (): Promise<string> => {
      const window = await openWindow(repository.root);
      const { warnings } = await window.call("shape_bot");
      await window.close();
      repository.save("one more");
      return warnings.join();
    };
    repository.git("switch", "-q", "--detach"); // a branch has a run of its own
    await goOn(repository, 1);
    await open();
    repository.git("branch", "feature");
    repository.git("switch", "-q", "main");
    expect(await open()).toMatch(
      /^The history of story_bot ends at record \d+, where it was seen to end before: [^.]*\.,workflow_state\.json showed another history: another git branch[^;]*; [^;]*kept\/\.$/,
    );
    expect(repository.state()).toMatchObject({ current_action: "story_bot.shape.decide_planning_criteria" });
    expect(repository.log()).toHaveLength(3);
    expect(await audited(repository)).toMatchObject({ code: 0, records: 3, aside: [] });
    repository.git("switch", "-q", "--detach", "main~1");
    await open();
    repository.git("merge", "-q", "--no-edit", "main");
    const independent = ["started shape.decide_planning_criteria"];
    expect(await audited(repository)).toMatchObject({ code: 1, records: 3, aside: independent });
  });

  test("a run that was begun on both sides", async () => {
    const mine = await begin({ done: 0 });
    const theirs = clone(mine);
    for (const one of [mine, theirs]) {
      await goOn(one, 1);
      one.save("begun");
    }
    mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
    const set = ["started shape.gather_context", "completed shape.gather_context"];
    expect(await audited(mine)).toMatchObject({ records: 2, aside: set, breaks: [] });
    theirs.git("pull", "-q", "--no-rebase", "--no-edit", mine.root, "main");
    expect(await audited(theirs)).toMatchObject({ records: 2, aside: set, breaks: [] });
    expect((await verify(theirs)).stdout).not.toMatch(/gone/);
    expect((await firstWarnings(theirs))[0]).toMatch(
      /^2 records were set aside[^,]*, and only one of them counts\. [^.]*lists them\.$/,
    );
  });

  test("a side that goes on by itself and is merged again is set aside again", async () => {
    const mine = await begin();
    const theirs = clone(mine);
    await goOn(mine, 1);
    mine.save("mine");
    for (const records of [2, 4, 6]) {
      await goOn(theirs, 1);
      theirs.save("theirs");
      mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
      expect((await audited(mine)).aside).toHaveLength(records);
      expect((await firstWarnings(mine))[0]).toContain(`${records} records were set aside`);
      mine.save("merged");
    }
    expect((await audited(mine)).breaks).toEqual([]);
  });

  test("two merges that cross leave the same lines twice, and count them once", async () => {
    const mine = await begin();
    const theirs = clone(mine);
    for (const one of [mine, theirs]) {
      await goOn(one, 1);
      one.save("one action");
    }
    const [my, their] = [mine, theirs].map((one) => one.git("rev-parse", "HEAD").trim());
    mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, String(their));
    theirs.git("pull", "-q", "--no-rebase", "--no-edit", mine.root, String(my));
    for (const one of [mine, theirs]) {
      await goOn(one, 1);
      one.save("one more");
    }
    mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
    const { records, aside: independent, breaks } = await audited(mine);
    expect([records, independent.length, breaks]).toEqual([6, 4, []]);
    expect(new Set(lines(mine)).size).toBe(10);
  });
});

describe("a merge without union", () => {
  async function conflicted(style: string): Promise<Repository> {
    const mine = await begin({ union: false });
    const theirs = clone(mine);
    for (const one of [mine, theirs]) {
      await goOn(one, 1);
      one.save("one action");
    }
    mine.git("config", "merge.conflictStyle", style);
    mine.git("fetch", "-q", theirs.root, "main");
    expect(() => mine.git("merge", "-q", "FETCH_HEAD")).toThrow();
    return mine;
  }

  // Attack (file tools): Merge two histories, keeping both sides' lines
  // -> One side counts. `verify` names the other's records (exit 1) until a person accepts it
  test.each(["merge", "diff3"])(
    "conflict markers (%s) that were left there are no records, and both sides are",
    async (style) => {
      const mine = await conflicted(style);
      expect(mine.read(journal)).toMatch(/^<{7} .*\n={7}\n.*\n>{7} /ms);
      mine.save("whatever it says");
      expect(await audited(mine)).toMatchObject({ records: 4, breaks: [], aside: { length: 2 } });
      expect((await verify(mine)).stdout).toMatch(/[34] git conflict markers/);
      expect((await firstWarnings(mine))[0]).toMatch(/^2 records were set aside/);
      await goOn(mine, 1);
      const { records, ...now } = await audited(mine);
      expect(records).toBeGreaterThan(5);
      expect(now).toMatchObject({ breaks: [], aside: { length: 2 } });
    },
  );

  test("both sides, taken by hand", async () => {
    const mine = await conflicted("merge");
    const kept = lines(mine).filter((line) => line.startsWith("{"));
    writeFileSync(mine.path(journal), `${kept.join("\n")}\n`);
    mine.save("both");
    expect(await audited(mine)).toMatchObject({ records: 4, breaks: [], aside: { length: 2 } });
  });
});

test("a checkout that ends lines otherwise changes nothing, and the next record stands on its own line", async () => {
  const repository = await begin({ union: false, done: 2 });
  const before = await audited(repository);
  repository.git("config", "core.autocrlf", "true");
  rmSync(repository.path(journal));
  repository.git("checkout", "-q", "--", journal);
  expect(repository.read(journal)).toContain("\r\n");
  expect(await audited(repository)).toMatchObject({ code: 0, records: 4, head: before.head });
  await goOn(repository, 1);
  expect(await audited(repository)).toMatchObject({ code: 0, records: 6, breaks: [], aside: [] });
});

test("a session that went on on two branches is set aside like a bot's run", async () => {
  const mine = await begin({ done: 0 });
  addWorkflow(mine, { phases: 2 });
  const begun = await openWindow(mine.root);
  const { session_id } = await callPhase(begun, "start_workflow", { workflow_type: "survey", target_file: "a.py" });
  await begun.close();
  mine.save("begun");
  const theirs = clone(mine);
  for (const one of [mine, theirs]) {
    const window = await openWindow(one.root);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    await window.close();
    one.save("a phase");
  }
  mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
  const { stdout, code } = await verify(mine);
  expect(code).toBe(1);
  expect(stdout).toMatch(/record 2: set aside, kept and not counted: completed /);
  const window = await openWindow(mine.root);
  const again = await callPhase(window, "get_phase_content", { session_id });
  expect(JSON.stringify(again)).toMatch(/set aside/);
  await window.close();
});

test("an export lists what was set aside as such", async () => {
  const mine = await begin();
  const theirs = clone(mine);
  for (const one of [mine, theirs]) {
    await goOn(one, 1);
    one.save("one action");
  }
  mine.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main");
  const out = mine.path("out");
  await runCli(["export", "--root", mine.root, "--out", out]);
  const { desks: streams } = JSON.parse(readFileSync(join(out, "audit.json"), "utf8"));
  expect(streams[0]).toMatchObject({ whole: false, breaks: [], set_aside: [{ seq: 3 }, { seq: 4 }] });
  expect(streams[0].events).toHaveLength(4);
  const [, independent = ""] = readFileSync(join(out, "audit.md"), "utf8").split("**Forked**");
  expect(independent.match(/\| completed \|/g)).toHaveLength(1);
});

test.each([{}, { run: "login" }])(
  "a branch on which the work has not begun knows nothing of it, and nothing is lost (%o)",
  async (run) => {
    const repository = await begin({ done: 0 });
    repository.write(".waymark/config.json", { history: "committed" });
    repository.write(".gitignore", `${[...ignored, ".waymark/runs/"].join("\n")}\n`);
    repository.save("settings");
    repository.git("switch", "-q", "-c", "feature");
    const walked = await openWindow(repository.root);
    await walked.call("shape_bot", run);
    await walked.call("complete_action", { ...run, confirmation: "yes" });
    await walked.close();
    repository.save("work");
    repository.git("switch", "-q", "main");
    const verify = await runCli(["verify", "--root", repository.root]);
    expect([verify.code, verify.stdout]).toEqual([0, expect.stringContaining("it is on another git branch")]);
    const elsewhere = await openWindow(repository.root);
    const opened = await elsewhere.call("shape_bot", run);
    expect(opened).toMatchObject({ status: "started", action: "gather_context", history: { count: 0 } });
    await elsewhere.close();
    repository.save("begun here too");
    repository.git("switch", "-q", "feature");
    const back = await openWindow(repository.root);
    expect(await back.call("shape_bot", run)).toMatchObject({
      action: "decide_planning_criteria",
      history: { count: 1 },
    });
  },
);
