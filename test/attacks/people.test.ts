import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listApprovers } from "../../src/app/list-approvers.ts";
import type { Statement } from "../../src/gates/approval-statement.ts";
import type { Event } from "../../src/workflow/events.ts";
import { runCli, runProcess } from "../command-line.ts";
import { forge } from "../forge.ts";
import { enrolled, signer, streamOf } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow, type Person } from "../window.ts";

const provenGate = "approval: {level: proven, by: [dana, lee]}\n";
const journal = ".waymark/journal/story_bot.jsonl";

/** A project whose first action needs an approval that is proved. */
function guardedProject(gate = provenGate): Project {
  const project = makeProject();
  project.write(gateFile, gate);
  return project;
}

/** An assistant hands in and waits. */
async function handsIn({ root }: Project, answers: string, more: object = {}, person?: Person) {
  const window = await openWindow(root, person === undefined ? {} : { person });
  await window.call("shape_bot");
  const answer = await window.call("complete_action", { outputs: { answers }, ...more });
  await window.close();
  return answer;
}

const stands = (project: Project): unknown => project.state().action_state;

describe("an assistant that approves itself", () => {
  // Attack (tools): Approve its own work with words that it passes on, where the gate asks for `proven`
  // -> Refused: the answer says which level, from whom and where
  // Attack (shell): Start a client of its own that says yes to every question, or have a hook answer
  // -> Refused where the gate asks for `proven`: no one is even asked. Elsewhere not seen, and on record as elicited, with the name that this client gave itself
  test("by words it passes on, or by a client of its own that says yes to every question: nothing counts, and nobody is asked", async () => {
    const project = guardedProject();
    await enrolled(project, signer("dana"));
    expect(await handsIn(project, "a", { confirmation: "Dana approves" })).toMatchObject({ status: "awaiting_human" });
    let asked = 0;
    const hook: Person = () => {
      asked += 1;
      return { action: "accept", content: { answer: "yes", comment: "approved by a hook" } };
    };
    expect(await handsIn(project, "b", {}, hook)).toMatchObject({ status: "awaiting_human" });
    expect(asked).toBe(0);
    expect(stands(project)).toBe("started");
  });

  // Attack (shell): Run `waymark approve` with a passphrase piped in, in the environment or as an argument
  // -> Refused: the passphrase is read from a terminal alone
  test("by the command without a terminal, whatever is piped in or set: refused", async () => {
    const project = guardedProject("approval: required\n");
    await handsIn(project, "a");
    const env = { WAYMARK_PASSPHRASE: "correct horse", PASSPHRASE: "correct horse" };
    for (const command of ["approve", "reject"])
      expect(await runProcess([command, "--root", project.root], undefined, env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/needs a terminal, and there is none here/),
      });
    const named = await runProcess(["approve", "--passphrase", "correct horse", "--root", project.root]);
    expect(named).toMatchObject({ code: 1, stderr: expect.stringMatching(/unknown option/) });
    expect(stands(project)).toBe("started");
  });

  // Attack (file tools): Add an approver of its own to `approvers.json`, under its own name or a person's
  // -> Refused: no one has trusted that key on this machine. For `verify` it is an approver: pin the keys with `--approvers FILE`
  test("with a key of its own, that it names among the approvers as itself or as somebody whom the gate wants: nobody has trusted it here", async () => {
    const project = guardedProject();
    await enrolled(project, signer("dana"));
    await handsIn(project, "a");
    for (const name of ["mallory", "dana"]) {
      const mallory = signer(name);
      await enrolled(project, mallory, false);
      const { answers, waiting } = await streamOf(project);
      expect(await answers(mallory.signs({ ...(await waiting()).about, decision: "approve" }))).toMatch(
        /^the key of \w+ is not trusted on this machine yet/,
      );
    }
    expect(stands(project)).toBe("started");
  });

  // Attack (file tools): Put the name that a gate asks for on another trusted key
  // -> Refused: a key is trusted under its name
  test("with somebody's trusted key under another name: not trusted so", async () => {
    const project = guardedProject();
    const sam = signer("sam");
    await enrolled(project, sam);
    await handsIn(project, "a");
    const file = project.read(".waymark/approvers.json");
    project.write(".waymark/approvers.json", file.replace('"sam"', '"dana"'));
    const { answers, waiting } = await streamOf(project);
    const signed = sam.signs({ ...(await waiting()).about, decision: "approve" });
    expect(await answers(signed)).toMatch(/^the key of dana is not trusted/);
    project.write(".waymark/approvers.json", file);
    expect(await answers(signed)).toBe("not_enough");
  });

  // Attack (file tools): Write down itself that an approver is trusted
  // -> Refused: only what this machine has sealed is trusted
  test("by writing down itself that it is trusted: only what this machine has sealed is believed", async () => {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    const definitions = project.path(".waymark");
    const listed = await listApprovers({ definitions, areas: [project.root] });
    expect(listed).toMatchObject([{ trusted: true }]);
    const folder = join(process.env.XDG_STATE_HOME ?? "", "waymark/trusted");
    const { readdirSync } = await import("node:fs");
    for (const name of readdirSync(folder).filter((one) => one.startsWith("approvers-"))) {
      const path = join(folder, name);
      const bytes = readFileSync(path, "latin1");
      if (bytes.includes(dana.key)) writeFileSync(path, bytes.replaceAll("dana", "lees"), "latin1");
    }
    expect(await listApprovers({ definitions, areas: [project.root] })).toMatchObject([{ trusted: false }]);
  });
});

describe("a statement that somebody signed", () => {
  // Attack (file tools): Use an approval for other content, another step, attempt, pass, run or project, or a rejection as an approval
  // -> Refused: the signature is of all of these
  test.each<[string, Partial<Statement>, string]>([
    ["another project", { project: "0".repeat(64) }, "it is about another project"],
    ["another run", { run: "story_bot/other" }, "it is about another run"],
    ["another behavior", { workflow: "discovery" }, "it is about another workflow"],
    ["another step", { step: "build_knowledge" }, "it is about another step"],
    ["another attempt", { attempt: 2 }, "it is about another attempt"],
    ["another pass", { pass: 2 }, "it is about another pass"],
    ["other content", { digest: "0".repeat(64) }, "it is about another submission"],
  ])("about %s approves nothing", async (_, other, problem) => {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    await handsIn(project, "a");
    const { answers, waiting } = await streamOf(project);
    const { about } = await waiting();
    expect(await answers(dana.signs({ ...about, decision: "approve", ...other }))).toBe(problem);
    expect(stands(project)).toBe("started");
  });

  // Attack (file tools): Use an approval that has expired, or make it last longer
  // -> Refused, also where a clock was set back
  test("that says no, has expired, or was changed after it was signed approves nothing", async () => {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    await handsIn(project, "a");
    const { answers, waiting } = await streamOf(project);
    const { about } = await waiting();
    const no = dana.signs({ ...about, decision: "reject" });
    expect(await answers(no, { decision: "approve" })).toBe("it is about another decision");
    const over = dana.signs({ ...about, decision: "approve", expires: "2026-01-01T00:00:00.000Z" });
    expect(await answers(over)).toBe("it has expired");
    const longer = { ...over, statement: { ...over.statement, expires: "2999-01-01T00:00:00.000Z" } };
    expect(await answers(longer)).toBe("its signature does not match");
    expect(stands(project)).toBe("started");
  });

  // Attack (file tools): Use an approval a second time, or after a no
  // -> Refused: each counts once
  test("counts once: not again after a no, and never for what is handed in later", async () => {
    const project = guardedProject("approval: {level: proven, by: [dana, lee], count: 2}\n");
    const [dana, lee] = [signer("dana"), signer("lee")];
    await enrolled(project, dana);
    await enrolled(project, lee);
    await handsIn(project, "a");
    const { answers, waiting } = await streamOf(project);
    const first = await waiting();
    const yes = dana.signs({ ...first.about, decision: "approve" });
    expect(await answers(yes)).toBe("awaiting");
    expect(await answers(yes)).toMatch(/counts only once/);
    expect(await answers(dana.signs({ ...first.about, decision: "approve" }))).toBe("awaiting");
    expect(await answers(lee.signs({ ...first.about, decision: "reject", comment: "no" }))).toBe("declined");
    await handsIn(project, "b");
    expect((await waiting()).about.digest).not.toBe(first.about.digest);
    expect(await answers(yes)).toMatch(/another submission|counts once/);
    expect(stands(project)).toBe("started");
    const { about } = await waiting();
    expect(await answers(dana.signs({ ...about, decision: "approve" }))).toBe("awaiting");
    expect(await answers(lee.signs({ ...about, decision: "approve" }))).toBe("completed");
  });
});

describe("an approval on record", () => {
  /** A step that dana approved; what is asked about it is asked on a machine that never saw its history. */
  async function approved() {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    await handsIn(project, "a");
    const { answers, waiting } = await streamOf(project);
    const { about } = await waiting();
    const expires = "2990-01-01T00:00:00.000Z";
    expect(await answers(dana.signs({ ...about, decision: "approve", comment: "fine", expires }))).toBe("completed");
    const verify = async (...more: string[]) => {
      const elsewhere = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "waymark-other-")) };
      onTestFinished(() => rmSync(elsewhere.XDG_STATE_HOME, { recursive: true, force: true }));
      const { code, stdout } = await runCli(
        ["verify", "--json", "--root", project.root, ...more],
        undefined,
        elsewhere,
      );
      return { code, ...JSON.parse(stdout) };
    };
    return { project, dana, about, verify };
  }
  const approvals = (change: (event: Event & { type: "approved" }) => Event) => (event: Event) =>
    event.type === "approved" ? change(event) : event;

  test("is checked offline: by whom, with which key, over what", async () => {
    const { dana, about, verify } = await approved();
    expect(await verify()).toMatchObject({
      code: 0,
      desks: [{ approvals: [{ decision: "approve", name: "dana", key: dana.key, digest: about.digest }] }],
    });
  });

  // Attack (file tools): Edit an approval on record, with right hashes
  // -> Exposed by `verify`: its signature does not match
  test.each<[string, (event: Event & { type: "approved" }) => Event, RegExp]>([
    ["says something else", (one) => ({ ...one, comment: "and all else" }), /it was signed for a different comment/],
    ["is for other content", (one) => ({ ...one, digest: "0".repeat(64) }), /it is about another submission/],
    ["is of another attempt", (one) => ({ ...one, attempt: 2 }), /it is about another attempt/],
    [
      "counts for longer",
      (one) => ({ ...one, expires: "2999-01-01T00:00:00.000Z" }),
      /it is recorded with a later expiry than was signed/,
    ],
    [
      "is somebody else's",
      (one) => ({ ...one, person: { name: "lee", key: one.person?.key ?? "" } }),
      /its key belongs to dana/,
    ],
    ["bears no signature", ({ signed: _, ...one }) => one, /claims to be proven, but nothing proves it/],
    [
      "was signed by nobody",
      (one) =>
        one.signed === undefined
          ? one
          : { ...one, signed: { ...one.signed, statement: { ...one.signed.statement, nonce: "another" } } },
      /its signature does not match/,
    ],
  ])(
    "that was edited with right hashes, so that it %s, is exposed by verify, and the completion with it",
    async (_, change, problem) => {
      const { project, verify } = await approved();
      forge(project, journal, approvals(change));
      const { code, problems } = await verify();
      expect(code).toBe(1);
      expect(problems.join("\n")).toMatch(problem);
      expect(problems.join("\n")).toMatch(/completed on .* as approved by dana, but no recorded approval proves that/);
    },
  );

  test("is exposed where it has expired before the completion, or was copied to a second place", async () => {
    const { project, verify } = await approved();
    const before = project.read(journal);
    forge(project, journal, (event) =>
      event.type === "completed" ? { ...event, at: "2999-01-01T00:00:00.000Z" } : event,
    );
    expect((await verify()).problems.join()).toMatch(/no recorded approval proves that/);
    project.write(journal, before);
    forge(project, journal, (event) => (event.type === "approved" ? [event, event] : event));
    expect((await verify()).problems.join()).toMatch(/is recorded twice and counts once/);
  });

  test("of a key that the assistant added is one by its own file, and none where the keys are pinned from outside", async () => {
    const { project, verify } = await approved();
    const pinned = project.path("pinned.json");
    writeFileSync(pinned, JSON.stringify({ approvers: [] }));
    expect((await verify()).code).toBe(0);
    const ended = await verify("--approvers", pinned);
    expect(ended.code).toBe(1);
    expect(ended.problems.join()).toMatch(/its key belongs to no approver/);
  });

  test("by people, of a number or a level that the gate does not ask for is no approval under verify --require", async () => {
    const { project, verify } = await approved();
    const before = project.read(journal);
    const missing = async (): Promise<string> => (await verify("--require", "shape")).required.problems.join("\n");
    expect(await missing()).not.toMatch(/gather_context: (its word|\d)/);
    forge(project, journal, (event) =>
      event.type === "completed" ? { ...event, word: { level: "relayed", text: "Dana says yes" } } : event,
    );
    expect(await missing()).toMatch(
      /gather_context: its approval is relayed, but its gate or the settings require proven/,
    );
    project.write(journal, before);
    forge(project, journal, (event) =>
      event.type === "completed" ? { ...event, word: { ...event.word, by: [{ name: "sam", key: "0" }] } } : event,
    );
    expect(await missing()).toMatch(/gather_context: 0 of dana, lee approved it, but its gate requires 1/);
  });
});
