import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listApprovers } from "../../src/compose-people.ts";
import type { Statement } from "../../src/people/statement.ts";
import { runProcess } from "../command-line.ts";
import { deskOf, enrolled, signer } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow } from "../window.ts";

const provenGate = "approval: required\n";

/** A project whose first action needs an approval that is proved. */
function guardedProject(gate = provenGate): Project {
  const project = makeProject();
  project.write(gateFile, gate);
  return project;
}

/** An assistant hands in and waits. */
async function handsIn({ root }: Project, answers: string) {
  const window = await openWindow(root);
  await window.call("shape_bot");
  const answer = await window.call("complete_action", { outputs: { answers } });
  await window.close();
  return answer;
}

const stands = (project: Project): unknown => project.state().action_state;

describe("an assistant that approves itself", () => {
  test("by the command without a terminal, whatever is piped in or set: refused", async () => {
    const project = guardedProject("approval: required\n");
    await handsIn(project, "a");
    const env = { WAYMARK_PASSPHRASE: "correct horse", PASSPHRASE: "correct horse" };
    for (const command of ["approve", "reject"])
      expect(await runProcess([command, "--root", project.root], undefined, env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/sits at a terminal, and there is none here/),
      });
    const named = await runProcess(["approve", "--passphrase", "correct horse", "--root", project.root]);
    expect(named).toMatchObject({ code: 1, stderr: expect.stringMatching(/unknown option/) });
    expect(stands(project)).toBe("started");
  });

  test("with a key of its own, that it names among the approvers as itself or as somebody whom the gate wants: nobody has trusted it here", async () => {
    const project = guardedProject();
    await enrolled(project, signer("dana"));
    await handsIn(project, "a");
    for (const name of ["mallory", "dana"]) {
      const mallory = signer(name);
      await enrolled(project, mallory, false);
      const { answers, waiting } = await deskOf(project);
      expect(await answers(mallory.signs({ ...(await waiting()).about, decision: "approve" }))).toMatch(
        /^nobody has trusted the key of \w+ on this machine yet/,
      );
    }
    expect(stands(project)).toBe("started");
  });

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
  test.each<[string, Partial<Statement>, string]>([
    ["another project", { project: "0".repeat(64) }, "it is about another project"],
    ["another run", { run: "story_bot/other" }, "it is about another run"],
    ["another behavior", { workflow: "discovery" }, "it is about another workflow"],
    ["another step", { step: "build_knowledge" }, "it is about another step"],
    ["another attempt", { attempt: 2 }, "it is about another attempt"],
    ["another pass", { pass: 2 }, "it is about another pass"],
    ["other content", { digest: "0".repeat(64) }, "it is about another content"],
  ])("about %s approves nothing", async (_, other, problem) => {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    await handsIn(project, "a");
    const { answers, waiting } = await deskOf(project);
    const { about } = await waiting();
    expect(await answers(dana.signs({ ...about, decision: "approve", ...other }))).toBe(problem);
    expect(stands(project)).toBe("started");
  });

  test("that says no, has expired, or was changed after it was signed approves nothing", async () => {
    const project = guardedProject();
    const dana = signer("dana");
    await enrolled(project, dana);
    await handsIn(project, "a");
    const { answers, waiting } = await deskOf(project);
    const { about } = await waiting();
    const no = dana.signs({ ...about, decision: "reject" });
    expect(await answers(no, { decision: "approve" })).toBe("it is about another decision");
    const over = dana.signs({ ...about, decision: "approve", expires: "2026-01-01T00:00:00.000Z" });
    expect(await answers(over)).toBe("it has expired");
    const longer = { ...over, statement: { ...over.statement, expires: "2999-01-01T00:00:00.000Z" } };
    expect(await answers(longer)).toBe("its signature is not of what it says");
    expect(stands(project)).toBe("started");
  });
});
