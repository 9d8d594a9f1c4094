import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { enrolls, keyed, reply, sitDown, trusts } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow } from "../window.ts";

/** A step that waits for a person. */
async function waiting(): Promise<Project> {
  const project = makeProject();
  project.write(gateFile, "approval: required\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", { outputs: { users: "clerks" } })).toMatchObject({
    status: "awaiting_human",
  });
  await window.close();
  return project;
}

const logOf = async ({ root }: Project): Promise<string> => (await runCli(["log", "--json", "--root", root])).stdout;

// Attack (shell): Fake a terminal for `waymark approve`
// -> With a key: nothing without the passphrase. Without one it counts as elicited, on record as just that. It does not overrule a no
test("with somebody's sealed key and a terminal of its own, an assistant gains nothing: it does not know the passphrase", async () => {
  const project = await waiting();
  const dana = await keyed(project, "dana");
  const faked = dana.runs(project, ["approve"]);
  await reply(faked, "Passphrase for dana", "12345678");
  await faked.ends();
  expect(project.state().action_state).toBe("started");
  expect(await logOf(project)).not.toContain('"approved"');
});

test("without a key it says yes for a person, and what that is worth is on record: elicited, by nobody who is known", async () => {
  const project = await waiting();
  const faked = sitDown().runs(project, ["approve"]);
  await reply(faked, "[y/N]", "y");
  await faked.ends();
  const [approved] = JSON.parse(await logOf(project)).filter(({ event }: { event: string }) => event === "approved");
  expect(approved).toMatchObject({ level: "elicited" });
  expect(approved).not.toHaveProperty("person");
});

test("a no given at a terminal is not overruled by a yes at another without a key; a changed submission can be approved", async () => {
  const project = await waiting();
  const answers = async (decision: string): Promise<void> => {
    const terminal = sitDown().runs(project, [decision]);
    await reply(terminal, "[y/N]", "y");
    await terminal.ends();
  };
  await answers("reject");
  const window = await openWindow(project.root);
  const again = await window.call("complete_action", { outputs: { users: "clerks" } });
  expect(again.error).toBe("approval_rejected");
  await answers("approve");
  expect(project.state().action_state).toBe("started");
  await window.call("complete_action", { outputs: { users: "clerks and guests" } });
  await answers("approve");
  expect(project.state().action_state).toBe("completed");
});

// Attack (yourself): Have a key of its own trusted, at a faked terminal
// -> Refused where a trusted key exists, without its passphrase. Where no one is trusted yet: not caught. Exposed by `trust --list`, by the key on record, and by `verify --approvers FILE`
test("where nobody is trusted yet it can enroll and trust a key of its own: exposed by the list of who is trusted, by the record, and by keys that are pinned from outside", async () => {
  const project = await waiting();
  const assistant = sitDown();
  await enrolls(assistant, project, "dana", "its own passphrase");
  await trusts(assistant, project);
  const faked = assistant.runs(project, ["approve"]);
  await reply(faked, "Passphrase for dana", "its own passphrase");
  await faked.ends();
  expect(project.state().action_state).toBe("completed");
  const { stdout } = await runCli(["trust", "--list", "--json", "--root", project.root]);
  const [{ key }] = JSON.parse(stdout).approvers;
  expect(await logOf(project)).toContain(key);
});
