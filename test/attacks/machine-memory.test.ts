import { appendFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject, type Project, projectAt } from "../project.ts";
import { commitAll, git } from "../repository.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";
const views = ["workflow_state.json", "activity_log.json"];
const whole = [".waymark/journal", ...views];

async function goOn(project: Project, count: number): Promise<readonly string[]> {
  const window = await openWindow(project.root);
  const said: string[] = [];
  for (let passed = 0; passed < count; passed++) {
    said.push(...(await window.call("shape_bot")).warnings);
    said.push(...(await window.call("complete_action", { outputs: { note: "honest" }, confirmation: "yes" })).warnings);
  }
  await window.close();
  return said;
}

/** A project in which so many actions are done. */
async function done(count: number): Promise<Project> {
  const project = makeProject();
  await goOn(project, count);
  return project;
}

const verify = (project: Project, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", project.root, ...more]);

async function nextCall(project: Project) {
  const window = await openWindow(project.root);
  const answer = await window.call("shape_bot");
  await window.close();
  return answer;
}

/** A copy of everything that stands for a history, and putting it back. */
function copyOf(project: Project): () => void {
  const copy = mkdtempSync(join(tmpdir(), "waymark-older-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of whole) cpSync(project.path(name), join(copy, name), { recursive: true });
  return () => {
    for (const name of whole) {
      rmSync(project.path(name), { recursive: true, force: true });
      cpSync(join(copy, name), project.path(name), { recursive: true });
    }
  };
}

function changeLastRecord(project: Project): void {
  const lines = project.read(journal).trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  writeFileSync(project.path(journal), `${lines.with(-1, last.replaceAll("honest", "edited")).join("\n")}\n`);
}

const attacks: readonly [string, (project: Project) => Promise<void>, RegExp][] = [
  [
    "the slate is wiped: the journals and the two JSON files are removed",
    async (project) => whole.forEach(project.remove),
    /The history of story_bot, with 6 records, is gone/,
  ],
  [
    "the history is cut: its last two records are taken out, and the files that show them rewritten",
    async (project) => {
      const lines = project.read(journal).split("\n");
      writeFileSync(project.path(journal), `${lines.slice(0, 4).join("\n")}\n`);
      views.forEach(project.remove);
    },
    /The history was rolled back: story_bot\.jsonl had 6 records/,
  ],
  [
    "the history is replaced by that of another project, with its files",
    async (project) => {
      const other = await done(3);
      for (const name of whole) {
        project.remove(name);
        cpSync(other.path(name), project.path(name), { recursive: true });
      }
    },
    /The history of story_bot, with 6 records, was replaced by another one/,
  ],
  [
    "the last record is edited",
    async (project) => changeLastRecord(project),
    /The history was changed: record 6 of story_bot\.jsonl is not the one this machine has seen/,
  ],
];

describe("with file tools, or a shell in the project", () => {
  // Attack (file tools): Remove the history and its files, cut it, roll it back, replace it, change its last record
  // -> Exposed by the next reply and by `verify` (exit 1) until a person accepts it
  test.each(attacks)(
    "%s: verify says so before and after the next reply, which says it too",
    async (_, attack, said) => {
      const project = await done(3);
      expect((await verify(project)).code).toBe(0);
      await attack(project);
      expect((await verify(project)).code).toBe(1);
      expect((await nextCall(project)).warnings.join()).toMatch(said);
      expect(await verify(project)).toMatchObject({ code: 1, stdout: expect.stringMatching(said) });
      expect((await goOn(project, 1)).join()).toMatch(said);
      expect((await verify(project)).code).toBe(1);
    },
  );

  test("journal and files are rolled back together: verify says so before and after the next reply, which says it too", async () => {
    const project = await done(2);
    const putBack = copyOf(project);
    await goOn(project, 1);
    putBack();
    const said = /The history was rolled back: story_bot\.jsonl had 6 records/;
    expect(await verify(project)).toMatchObject({ code: 1, stdout: expect.stringMatching(said) });
    expect((await nextCall(project)).warnings.join()).toMatch(said);
    expect((await verify(project)).code).toBe(1);
  });

  test("the last record is edited: the honest log and state are not written over", async () => {
    const project = await done(3);
    const before = views.map(project.read);
    changeLastRecord(project);
    await goOn(project, 1);
    expect(views.map(project.read)).toEqual(before);
    expect((await runCli(["status", "--root", project.root])).stdout).toContain("story_bot");
    expect(views.map(project.read)).toEqual(before);
  });

  // Attack (shell): Give the project a new identity, which puts its histories away
  // -> Exposed by the next reply and by `verify` (exit 1) until a person accepts it
  test("a new identity puts the histories away: verify names them as gone, and so does the next reply", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    await window.close();
    expect((await runCli(["init", "--new-identity", "--root", project.root])).code).toBe(0);
    const verify = (): Promise<Ended> => runCli(["verify", "--root", project.root]);
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining("its history is gone") });
    const next = await openWindow(project.root);
    expect((await next.call("shape_bot")).warnings.join()).toContain("is gone");
    await next.close();
    expect((await verify()).code).toBe(1);
  });

  test("a session's journal and file are removed: verify names it, and so does the next start", async () => {
    const project = makeProject();
    addWorkflow(project);
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    await window.close();
    project.remove(".waymark/journal");
    project.remove(".waymark/sessions");
    const { code, stdout } = await verify(project);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`session ${session_id}: its history is gone`)]);
    const next = await openWindow(project.root);
    const started = await callPhase(next, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
    expect(started.warnings.join()).toMatch(new RegExp(`The history of session ${session_id}.* is gone`));
    expect((await verify(project)).code).toBe(1);
  });

  test("a project is removed and begun anew in the same place: it is said, with how to accept it", async () => {
    const project = await done(2);
    const kept = mkdtempSync(join(tmpdir(), "waymark-kept-"));
    onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
    cpSync(project.path(".waymark/bots"), join(kept, "bots"), { recursive: true });
    cpSync(project.path(".waymark/base_actions"), join(kept, "base_actions"), { recursive: true });
    rmSync(project.root, { recursive: true });
    cpSync(kept, project.path(".waymark"), { recursive: true });
    expect((await nextCall(project)).warnings.join()).toMatch(/is gone .*waymark verify --accept/);
    expect((await verify(project)).code).toBe(1);
  });
});

const cut = (project: Project): void => {
  const lines = project.read(journal).split("\n");
  writeFileSync(project.path(journal), `${lines.slice(0, 4).join("\n")}\n`);
  for (const name of ["checkpoint", "published", "state.shown", "log.shown"])
    rmSync(project.path(`.waymark/journal/story_bot.${name}`), { force: true });
  views.forEach(project.remove);
};
const wipe = (project: Project): void => {
  for (const name of [...whole, ".waymark/open"]) rmSync(project.path(name), { recursive: true, force: true });
};
const laundering: readonly [string, (project: Project) => void][] = [
  ["cut", cut],
  ["wiped", wipe],
];

describe("history: committed in the settings excuses nothing that git does not keep", () => {
  // Attack (file tools): The same, called another git branch by `history: committed`, with or without a repository
  // -> Exposed all the same, unless git has the history just so, or keeps it on another branch
  test.each(laundering)(
    "a history that was %s without a repository is lost, whatever the settings say now or later",
    async (_, lose) => {
      const project = await done(3);
      lose(project);
      project.write(".waymark/config.json", { history: "committed" });
      expect((await verify(project)).code).toBe(1);
      expect((await goOn(project, 1)).join()).toMatch(/is gone|was rolled back/);
      project.remove(".waymark/config.json");
      expect((await verify(project)).code).toBe(1);
      expect((await goOn(project, 1)).join()).toMatch(/is gone|was rolled back/);
      expect((await verify(project)).code).toBe(1);
    },
  );

  test.each(laundering)("nor one that was %s in a repository that has never heard of it", async (_, lose) => {
    const project = await done(3);
    project.write(".gitignore", ".waymark/journal/\n");
    committed(project);
    lose(project);
    expect((await verify(project)).code).toBe(1);
    expect((await nextCall(project)).warnings.join()).toMatch(/is gone|was rolled back/);
  });

  test.each(laundering)("nor one that was %s where git has more of it", async (_, lose) => {
    const project = await done(3);
    committed(project);
    lose(project);
    expect((await verify(project)).code).toBe(1);
    expect((await nextCall(project)).warnings.join()).toMatch(/is gone|was rolled back/);
  });

  test("what was found before stays so when git has what is left: only a person accepts it", async () => {
    const project = await done(3);
    cut(project);
    await nextCall(project);
    committed(project);
    expect((await verify(project)).code).toBe(1);
    wipe(project);
    git(project.root, "rm", "-q", "--cached", "-r", ".waymark/journal");
    git(project.root, "commit", "-q", "-m", "no history");
    expect((await verify(project)).code).toBe(1);
  });

  test("a session that was removed is no other branch's", async () => {
    const project = makeProject();
    addWorkflow(project);
    const window = await openWindow(project.root);
    await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
    await window.close();
    project.remove(".waymark/journal");
    project.remove(".waymark/sessions");
    project.write(".waymark/config.json", { history: "committed" });
    expect((await verify(project)).code).toBe(1);
  });
});

/** Has git keep everything that stands in a project, by the settings too. */
function committed(project: Project): void {
  project.write(".waymark/config.json", { history: "committed" });
  commitAll(project.root, "all of it");
}

describe("nobody's doing", () => {
  test("where git keeps the histories, one that was begun on another branch is not lost: a note", async () => {
    const project = makeProject();
    project.write(".gitignore", [...views, "/story_bot/", ".waymark/tmp/", ".waymark/open/"].join("\n"));
    committed(project);
    git(project.root, "switch", "-q", "--detach"); // a branch has a run of its own
    await goOn(project, 2);
    commitAll(project.root, "two");
    git(project.root, "branch", "feature");
    git(project.root, "switch", "-q", "main");
    const { code, stdout } = await verify(project);
    expect([code, stdout]).toEqual([0, expect.stringContaining("it is on another git branch")]);
    expect((await nextCall(project)).warnings.join()).toContain(
      "The history of story_bot is not here: it is on another git branch.",
    );
  });

  test("a project that is moved, or copied and walked on in both places, is whole in each", async () => {
    const project = await done(2);
    const elsewhere = mkdtempSync(join(tmpdir(), "waymark-moved-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    cpSync(project.root, join(elsewhere, "copy"), { recursive: true });
    const copy = projectAt(join(elsewhere, "copy"));
    for (const one of [project, copy]) expect(await goOn(one, 1)).toEqual([]);
    renameSync(project.root, join(elsewhere, "moved"));
    const moved = projectAt(join(elsewhere, "moved"));
    for (const one of [copy, moved]) {
      expect(await goOn(one, 1)).toEqual([]);
      expect((await verify(one)).code).toBe(0);
    }
  });

  test("where git keeps the histories, an end that was seen before is another branch: a note", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { history: "committed" });
    project.write(
      ".gitignore",
      [
        ...views,
        "/story_bot/",
        ".waymark/tmp/",
        ".waymark/kept/",
        ".waymark/journal/*.shown",
        ".waymark/journal/*.published",
        ".waymark/journal/*.checkpoint",
      ].join("\n"),
    );
    const save = (message: string): void => {
      commitAll(project.root, message, "--allow-empty");
    };
    git(project.root, "init", "-q", "-b", "main");
    await goOn(project, 1);
    save("one");
    git(project.root, "switch", "-q", "--detach"); // a branch has a run of its own
    await goOn(project, 2);
    save("three");
    git(project.root, "branch", "feature");
    git(project.root, "switch", "-q", "main");
    const switched = await verify(project);
    expect(switched.stdout).toMatch(/ends at record .* where it was seen to end before: this is another git branch/);
    // The files that show it are still the other branch's, and nobody has edited them.
    expect(switched.stdout).toContain("workflow_state.json behind, activity_log.json behind");
    expect(switched.code).toBe(0);
    expect((await nextCall(project)).warnings.join()).toMatch(
      /ends at record .* where it was seen to end before: this is another git branch/,
    );
    expect((await verify(project)).code).toBe(0);
    git(project.root, "checkout", "-q", "--", ".");
    git(project.root, "switch", "-q", "--detach", "feature");
    expect((await goOn(project, 1)).join()).not.toMatch(/accept/);
    expect((await verify(project)).code).toBe(0);
    // An edit made right after a switch is still one.
    save("four");
    git(project.root, "branch", "-f", "feature");
    git(project.root, "switch", "-q", "main");
    expect((await verify(project)).code).toBe(0);
    const shown = project.read("workflow_state.json");
    project.write("workflow_state.json", shown.replaceAll("gather_context", "validate_rules"));
    expect((await verify(project)).stdout).toContain("workflow_state.json differs from the history");
    project.write("workflow_state.json", shown);
    git(project.root, "switch", "-q", "--detach", "feature");
    expect((await verify(project)).code).toBe(0);
    // An end that nobody has seen here is none of a branch.
    changeLastRecord(project);
    expect((await verify(project)).code).toBe(1);
  });

  test("where git keeps the histories, the file of a session that another branch left is nobody's edit", async () => {
    const project = makeProject();
    addWorkflow(project);
    project.write(".waymark/config.json", { history: "committed" });
    project.write(".gitignore", [".waymark/tmp/", ".waymark/sessions/", ".waymark/journal/**/*.shown"].join("\n"));
    const save = (message: string): void => {
      commitAll(project.root, message, "--allow-empty");
    };
    const goOnWith = async (phase: number): Promise<readonly string[]> => {
      const window = await openWindow(project.root);
      const { session_id, warnings } = await callPhase(window, "start_workflow", start);
      const evidence = evidenceFor(phase);
      const done = await callPhase(window, "complete_phase", { session_id, phase, evidence });
      await window.close();
      expect(done.checkpoint_passed).toBe(true);
      return [...warnings, ...done.warnings];
    };
    const start = { workflow_type: "survey", target_file: "a.ts" };
    git(project.root, "init", "-q", "-b", "main");
    expect(await goOnWith(1)).toEqual([]);
    save("one");
    git(project.root, "switch", "-q", "--detach"); // a branch has a run of its own
    expect(await goOnWith(2)).toEqual([]);
    save("two");
    git(project.root, "branch", "feature");
    git(project.root, "switch", "-q", "main");
    expect((await verify(project)).code).toBe(0);
    expect((await goOnWith(2)).join()).not.toMatch(/edited outside|kept under/);
    expect((await verify(project)).code).toBe(0);
  });

  test("a line that a crash tore off: verify names nobody, and the next call goes on behind it", async () => {
    const project = await done(2);
    const lines = readFileSync(project.path(journal), "utf8").split("\n");
    appendFileSync(project.path(journal), (lines[0] ?? "").slice(0, 90));
    for (const name of views) writeFileSync(project.path(name), "");
    const { code, stdout } = await verify(project);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/the last write is incomplete/)]);
    expect(await goOn(project, 1)).toEqual([]);
    expect((await verify(project)).code).toBe(0);
  });

  test("a byte order mark before the first line costs no record: verify says so, and the work goes on", async () => {
    const project = await done(2);
    writeFileSync(project.path(journal), `\uFEFF${project.read(journal)}`);
    const { code, stdout } = await verify(project);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/4 records[\s\S]*begins with a byte order mark/)]);
    expect(await goOn(project, 1)).toEqual([]);
    expect((await verify(project)).code).toBe(0);
  });

  test("a home that cannot be written costs nothing but the memory", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "waymark-home-")), "file");
    writeFileSync(file, "");
    onTestFinished(() => rmSync(join(file, ".."), { recursive: true }));
    const { XDG_STATE_HOME: before } = process.env;
    process.env.XDG_STATE_HOME = file;
    onTestFinished(() => {
      process.env.XDG_STATE_HOME = before;
    });
    const project = await done(3);
    expect((await verify(project)).code).toBe(0);
  });
});
