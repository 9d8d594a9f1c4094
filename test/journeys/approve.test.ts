import { expect, test, vi } from "vitest";
import { runCli } from "../command-line.ts";
import { keyed, reply, type Sitting, sitDown } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { hangs, openWindow } from "../window.ts";

const passphrase = "correct horse";

/** Waits until the project's first action stands so: what a program says last may not reach the screen. */
async function stands(project: Project, state: string): Promise<void> {
  await vi.waitFor(() => expect(project.state().action_state).toBe(state), { timeout: hangs, interval: 50 });
}

async function shown({ root }: Project): Promise<{ run: string; step: string; digest: string }[]> {
  return JSON.parse((await runCli(["show", "--json", "--root", root])).stdout);
}

test("without a key a person at a terminal sees all of it and says yes: that counts as elicited, and the assistant goes on", async () => {
  const project = makeProject();
  project.write(gateFile, "approval: required\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const complete = {
    outputs: { users: "clerks" },
    content: [{ path: "notes.md", text: "# Notes\n\nThe last line.\n" }],
  };
  expect(await window.call("complete_action", complete)).toMatchObject({
    status: "awaiting_human",
  });
  const person = sitDown();
  const no = person.runs(project, ["approve"]);
  await no.sees("users: clerks");
  await no.sees("The last line.");
  await reply(no, "Approve gather_context of story_bot.shape? [y/N]", "");
  await no.ends();
  expect(project.state().action_state).toBe("started");
  const yes = person.runs(project, ["approve", "--comment", "well done"]);
  await reply(yes, "Approve gather_context of story_bot.shape? [y/N]", "y");
  await stands(project, "completed");
  const next = await window.call("complete_action", complete);
  expect(next).toMatchObject({ status: "completed", action: "gather_context" });
  expect(JSON.stringify(next)).toContain("When done, proceed to decide_planning_criteria");
  expect(next.warnings.join("\n")).toContain('saying "well done"');
  expect(next.warnings.join("\n")).not.toContain("did not open it");
  const { stdout } = await runCli(["log", "--json", "--root", project.root]);
  expect(stdout).toContain('"elicited"');
  expect(stdout).toContain("well done");
});

test("with a key it takes the passphrase, typed at the terminal itself: a wrong one answers nothing, a no gives the reason, a yes completes", async () => {
  const project = makeProject();
  project.write(gateFile, "approval: {level: proven, by: [dana]}\n");
  const dana = await keyed(project, "dana", passphrase);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const complete = (users: string) => window.call("complete_action", { outputs: { users } });
  const waits = await complete("nobody");
  expect(waits).toMatchObject({ status: "awaiting_human" });
  expect(JSON.stringify(waits)).toMatch(/dana/);
  expect(JSON.stringify(waits)).toMatch(/waymark approve/);
  const wrong = dana.runs(project, ["approve"]);
  await reply(wrong, "Passphrase for dana, to approve gather_context of story_bot.shape:", "correct horsf");
  await wrong.ends();
  const spied = dana.runs(project, ["approve"], { NODE_OPTIONS: "--no-warnings" });
  await spied.sees("Waymark does not ask for a passphrase while NODE_OPTIONS is set");
  await spied.ends();
  expect(project.state().action_state).toBe("started");

  const rejecting = dana.runs(project, ["reject", "--reason", "Name the users."]);
  await reply(rejecting, "Passphrase for dana, to reject gather_context of story_bot.shape:", passphrase);
  await rejecting.ends();
  const told = await window.call("shape_bot");
  expect(JSON.stringify(told)).toContain("Name the users.");
  expect(await complete("nobody")).toMatchObject({ error: "approval_rejected" });
  expect(await complete("clerks")).toMatchObject({ status: "awaiting_human" });

  const [waiting] = await shown(project);
  const approving = dana.runs(project, ["approve", "story_bot.shape", "--as", "dana", "--json"]);
  await reply(approving, "Passphrase for dana", passphrase);
  await stands(project, "completed");
  await approving.ends();
  expect(approving.screen()).not.toContain(passphrase);
  expect(approving.screen()).toContain(waiting?.digest);
  expect(await complete("clerks")).toMatchObject({ status: "completed" });
  const verified = await runCli(["verify", "--root", project.root]);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});

test("of several runs that wait one is named; what cannot count is said before anybody types a passphrase", async () => {
  const project = makeProject();
  project.write(gateFile, "approval: {level: proven, by: [lee]}\n");
  const window = await openWindow(project.root);
  for (const run of [undefined, "other"]) {
    const named = run === undefined ? {} : { run };
    await window.call("shape_bot", named);
    await window.call("complete_action", { ...named, behavior: "shape", outputs: { users: "clerks" } });
  }
  const dana = await keyed(project, "dana");
  const env = { XDG_CONFIG_HOME: dana.configHome };
  const approve = async (...args: string[]): Promise<string> =>
    (await runCli(["approve", ...args, "--root", project.root], undefined, env)).stderr;
  expect(await approve()).toMatch(/Several runs are waiting\. Name one:\n.*story_bot\.shape\n.*--run other/);
  expect(await approve("story_bot.discovery")).toMatch(/Nothing in story_bot\.discovery is waiting/);
  expect(await approve("--run", "other")).toMatch(/dana cannot approve this: it needs .*lee/);
  expect(await approve("--run", "other", "--as", "sam")).toMatch(/You have no key named sam/);
  const none: Sitting = sitDown();
  const keyless = await runCli(["approve", "--run", "other", "--root", project.root], undefined, {
    XDG_CONFIG_HOME: none.configHome,
  });
  expect(keyless.stderr).toMatch(/create a key with waymark approve --enroll NAME/);
});
