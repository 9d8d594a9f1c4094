import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CheckResult } from "../../src/gates/check.ts";
import { digestOf } from "../../src/kit/json.ts";
import type { Event } from "../../src/workflow/events.ts";
import { approvedContent } from "../../src/workflow/judged-by-hash.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { actions, type Project } from "../project.ts";
import { gateFile, honest, provingGate, provingProject, trustAll } from "../proving.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";

/** A gate whose check reads the runner and its plan alone. */
const narrow = `${provingGate}    reads: ["*.cjs", "plan.json"]\n`;

/** Walks a behavior to its end, the first action proved by its check. */
async function walk(project: Project): Promise<void> {
  await trustAll(project);
  const window = await openWindow(project.root);
  for (const name of actions) {
    await window.call("shape_bot");
    const content = name === "build_knowledge" ? { content: [{ path: "tea.md", text: "Earl Grey\n" }] } : {};
    await window.call("complete_action", {
      ...(name === "gather_context" ? honest : { confirmation: "yes" }),
      ...content,
    });
  }
  await window.close();
}

/** A folder of its own. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waymark-other-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Verifies on a machine that has never seen the history, and trusts the commands. */
async function elsewhere(project: Project, ...more: readonly string[]) {
  const env = { XDG_STATE_HOME: folder() };
  await runCli(["trust", "--root", project.root, "--yes"], undefined, env);
  const words = ["verify", "--root", project.root, "--json", "--require", "shape", ...more];
  const { code, stdout } = await runCli(words, undefined, env);
  return { code, ...JSON.parse(stdout).required };
}

/** Changes what the record says of the tests, and the evidence with it; every hash is right, and so is the digest. */
function claim(project: Project, passed: number, evidence = passed): void {
  let checks: readonly CheckResult[] = [];
  const told = (event: Event): Event => {
    if (event.type === "completed" && event.step === "gather_context") {
      const claimed = { ...event, evidence: { ...event.evidence, tests_passed: evidence } };
      const content = (event.content ?? []).filter(({ readable }) => readable !== true);
      return { ...claimed, digest: digestOf(approvedContent({ ...claimed, content }, { checks })) };
    }
    if (event.type !== "checked") return event;
    const facts = { ...event.result.facts, tests: passed, passed, failed: 0 };
    const result: CheckResult = { ...event.result, status: "passed", facts, found: { tests_passed: passed } };
    checks = [result];
    return { ...event, result };
  };
  forge(project, journal, told);
}

describe("an assistant that writes the record itself, and verify --require --recheck", () => {
  // Attack (file tools): Write another result into the record, with right hashes: more tests, one that never passed
  // -> Exposed by `verify --require` where record and evidence differ, by `--recheck` where the files do
  test("another number of tests, written into the record: found on the same files", async () => {
    const project = provingProject({ passed: 11 }, narrow);
    await walk(project);
    claim(project, 40);
    expect(await elsewhere(project)).toMatchObject({ code: 0, met: true });
    expect(await elsewhere(project, "--recheck")).toMatchObject({
      code: 1,
      problems: expect.arrayContaining([
        "gather_context: tests: tests was 40 on record and is 11 now, on the same files",
        "gather_context: tests: passed was 40 on record and is 11 now, on the same files",
      ]),
    });
  });

  test("another number in the evidence alone: named without running anything", async () => {
    const project = provingProject({ passed: 11 });
    await walk(project);
    claim(project, 11, 40);
    expect(await elsewhere(project)).toMatchObject({
      code: 1,
      problems: ["gather_context: tests_passed is 40 in its evidence, but its check found 11"],
    });
  });

  test("a check that never passed, written down as passed, and one taken out of the record", async () => {
    const project = provingProject({ passed: 3, failed: 0 });
    await walk(project);
    project.write("plan.json", { passed: 2, failed: 1 });
    expect(await elsewhere(project, "--recheck")).toMatchObject({
      code: 1,
      problems: [
        "gather_context: tests passed on record (3 of 3 tests passed), and fails now: exited with 1, not 0; failed: f0",
      ],
    });
    forge(project, journal, (event) =>
      event.type === "checked" ? { ...event, result: { ...event.result, name: "other" } } : event,
    );
    expect(await elsewhere(project)).toMatchObject({
      code: 1,
      problems: ["gather_context: its check tests has no result on record"],
    });
  });

  test("a record of a check that is no result at all ends in a verdict, too", async () => {
    const project = provingProject({ passed: 3 });
    await walk(project);
    forge(project, journal, (event) =>
      event.type === "checked"
        ? { ...event, result: { ...event.result, facts: undefined, summary: "" } as never }
        : event,
    );
    expect(await elsewhere(project, "--recheck")).toMatchObject({
      code: 1,
      problems: ["gather_context: tests_passed is 3 in its evidence, but its check found none"],
    });
  });

  // Attack (file tools): Take a check out of the definitions for a walk, or exchange the command, and put it back
  // -> Exposed by `verify --require` (another gate) and `--recheck` (it fails now)
  test("the check taken out of the definition for the walk, or the command for the walk: neither lasts", async () => {
    const project = provingProject({ passed: 0, failed: 3 });
    project.write(gateFile, provingGate.slice(0, provingGate.indexOf("checks:")));
    await walk(project);
    project.write(gateFile, provingGate);
    expect(await elsewhere(project, "--recheck")).toMatchObject({
      code: 1,
      problems: expect.arrayContaining([expect.stringContaining("gather_context")]),
    });

    const other = provingProject({ passed: 0, failed: 3 });
    const real = other.read("run-tests.cjs");
    other.write(
      "run-tests.cjs",
      `require("node:fs").writeFileSync("reports/junit.xml", "<testsuites><testcase name='a'/></testsuites>");`,
    );
    other.write("reports/.keep", "");
    await walk(other);
    other.write("run-tests.cjs", real);
    expect(await elsewhere(other)).toMatchObject({ code: 0 });
    expect(await elsewhere(other, "--recheck")).toMatchObject({
      code: 1,
      problems: [
        "gather_context: tests passed on record (1 of 1 tests passed), and fails now: exited with 1, not 0; failed: f0, f1, f2",
      ],
    });
  });
});

describe("an attestation that was tampered with", () => {
  type Statement = {
    subject: { name: string; digest: { sha256: string } }[];
    predicate: { walks: { steps: { step: string; word?: { text?: string } }[]; history: { head: string } }[] };
  };

  async function attested(): Promise<{ project: Project; key: string; file: string }> {
    const project = provingProject({ passed: 2 });
    await walk(project);
    const at = folder();
    const key = join(at, "key");
    await runCli(["verify", "--root", project.root, "--new-key", key]);
    await runCli(["export", "--root", project.root, "--attestation", "shape", "--sign", key, "--out", at]);
    return { project, key, file: join(at, "attestation.json") };
  }

  async function read(project: Project, file: string, ...more: readonly string[]) {
    const words = ["verify", "--root", project.root, "--json", "--attestation", file, ...more];
    const { code, stdout } = await runCli(words);
    return { code, ...JSON.parse(stdout).attestation };
  }

  /** What it states, changed; the signature stays. */
  function bend(file: string, change: (statement: Statement) => void): void {
    const envelope = JSON.parse(readFileSync(file, "utf8"));
    const statement: Statement = JSON.parse(Buffer.from(envelope.payload, "base64").toString("utf8"));
    change(statement);
    const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
    writeFileSync(file, JSON.stringify({ ...envelope, payload }));
  }

  test("other files than those on record, or other files in the project: each is named", async () => {
    const { project, key, file } = await attested();
    expect(await read(project, file, "--key", `${key}.pub`)).toMatchObject({ code: 0, holds: true });
    project.write("tea.md", "Oolong\n");
    expect(await read(project, file, "--key", `${key}.pub`)).toMatchObject({
      code: 1,
      signature: "holds",
      problems: ["tea.md is not the file that was attested"],
    });
    project.remove("tea.md");
    expect((await read(project, file)).problems).toEqual(["tea.md does not exist"]);
    bend(file, ({ subject }) => subject.push({ name: "../../etc/passwd", digest: { sha256: "0".repeat(64) } }));
    expect((await read(project, file, "--key", `${key}.pub`)).problems).toEqual([
      "its signature does not match its content",
      "it names ../../etc/passwd, which is not on record",
      "tea.md does not exist",
    ]);
  });

  // Attack (file tools): Show an attestation of other files, of another history, or with an approval, a step or a hash changed
  // -> Exposed by `verify --attestation`, with the key by its signature
  test("a step or a word changed, another history, another key, no statement: none holds", async () => {
    const { project, file } = await attested();
    const before = readFileSync(file, "utf8");
    const bent = async (change: (statement: Statement) => void) => {
      writeFileSync(file, before);
      bend(file, change);
      return (await read(project, file)).problems;
    };
    expect(
      await bent(({ predicate: { walks } }) => {
        const word = walks[0]?.steps[1]?.word;
        if (word !== undefined) word.text = "yes, by the board";
      }),
    ).toEqual(["shape in story_bot: decide_planning_criteria differs from the record"]);
    expect(await bent(({ predicate: { walks } }) => void walks[0]?.steps.pop())).toEqual([
      "shape in story_bot: validate_rules differs from the record",
    ]);
    expect(
      await bent(({ predicate: { walks } }) => {
        for (const { history } of walks) history.head = "0".repeat(64);
      }),
    ).toEqual(["shape in story_bot: this is not the history that was attested"]);

    writeFileSync(file, before);
    const other = await attested();
    expect((await read(project, file, "--key", `${other.key}.pub`)).problems).toEqual([
      "it is not signed with any of the given keys",
    ]);
    expect((await read(other.project, file)).problems).toEqual([
      "shape in story_bot: this is not the history that was attested",
    ]);
    for (const text of [
      "",
      "{}",
      "[]",
      '{"payloadType":"text/plain","payload":"","signatures":[]}',
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    ]) {
      writeFileSync(file, text);
      const { code, stderr } = await runCli(["verify", "--root", project.root, "--attestation", file]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be verified")]);
    }
  });
});
