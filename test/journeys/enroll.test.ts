import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runProcess } from "../command-line.ts";
import { enrolled, reply, signer, sitDown, trusts } from "../people.ts";
import { makeProject, type Project } from "../project.ts";

const passphrase = "correct horse";

async function approversOf({ root }: Project): Promise<unknown> {
  return JSON.parse((await runCli(["trust", "--list", "--json", "--root", root])).stdout).approvers;
}

test("a person makes a key at a terminal: its private part is theirs alone, its public part beside the definitions, and it counts once they trust it", async () => {
  const project = makeProject();
  const dana = sitDown();
  const terminal = dana.runs(project, ["approve", "--enroll", "Dana"]);
  await reply(terminal, "Choose a passphrase (at least 8 characters):", passphrase);
  await reply(terminal, "Repeat it:", passphrase);
  await terminal.ends();
  expect(terminal.screen()).not.toContain(passphrase);
  const folder = join(dana.configHome, "waymark/keys");
  expect(readdirSync(folder)).toEqual(["dana.json"]);
  expect(statSync(join(folder, "dana.json")).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(readFileSync(join(folder, "dana.json"), "utf8"));
  expect(project.json(".waymark/approvers.json")).toEqual({
    approvers: [
      { name: "dana", kind: "ed25519", key: kept.key, public: kept.public, enrolled: expect.stringMatching(/^2/) },
    ],
  });
  expect(await approversOf(project)).toEqual([{ name: "dana", key: kept.key, trusted: false }]);
  const unattended = await runProcess(["trust", "--yes", "--root", project.root]);
  expect(unattended.stdout).toMatch(/1 approver is not trusted: Trusting an approver needs a terminal/);
  expect(await approversOf(project)).toEqual([{ name: "dana", key: kept.key, trusted: false }]);
  await trusts(dana, project);
  expect(await approversOf(project)).toEqual([{ name: "dana", key: kept.key, trusted: true }]);

  // The next project takes the same key, from whoever knows its passphrase.
  const other = makeProject();
  const wrong = dana.runs(other, ["approve", "--enroll", "dana"]);
  await reply(wrong, "Passphrase for dana", "correct horsf");
  await wrong.ends();
  expect(await approversOf(other)).toEqual([]);
  const right = dana.runs(other, ["approve", "--enroll", "dana"]);
  await reply(right, "Passphrase for dana", passphrase);
  await right.ends();
  expect(await approversOf(other)).toEqual([{ name: "dana", key: kept.key, trusted: false }]);

  // Whoever joins later is trusted with the key of somebody who is: a faked terminal does not have its passphrase.
  await enrolled(project, signer("lee"), false);
  const faked = dana.runs(project, ["trust"]);
  await reply(faked, "Trust this approver on this machine?", "y");
  await reply(faked, "Passphrase for dana, to trust lee:", "a guess");
  await faked.ends();
  expect(await approversOf(project)).toMatchObject([{ trusted: true }, { name: "lee", trusted: false }]);
  const real = dana.runs(project, ["trust"]);
  await reply(real, "Trust this approver on this machine?", "y");
  await reply(real, "Passphrase for dana, to trust lee:", passphrase);
  await real.ends();
  expect(await approversOf(project)).toMatchObject([{ trusted: true }, { name: "lee", trusted: true }]);
});

// Attack (shell): Read along where the passphrase is typed (`NODE_OPTIONS`, `LD_PRELOAD`)
// -> Refused: it is not asked for while one of them is set
test("no key is made of two passphrases or a short one, without a terminal, or while something could read along", async () => {
  const project = makeProject();
  const dana = sitDown();
  const differing = dana.runs(project, ["approve", "--enroll", "dana"]);
  await reply(differing, "Choose a passphrase", passphrase);
  await reply(differing, "Repeat it:", "another one");
  await differing.ends();
  const short = dana.runs(project, ["approve", "--enroll", "dana"]);
  await reply(short, "Choose a passphrase", "short");
  await short.ends();
  const spied = dana.runs(project, ["approve", "--enroll", "dana"], { NODE_OPTIONS: "--no-warnings" });
  await spied.sees("Waymark does not ask for a passphrase while NODE_OPTIONS is set");
  await spied.ends();
  const env = { XDG_CONFIG_HOME: dana.configHome };
  const piped = await runProcess(["approve", "--enroll", "dana", "--root", project.root], undefined, env);
  expect(piped).toMatchObject({ code: 1, stderr: expect.stringMatching(/needs a terminal/) });
  expect(readdirSync(dana.configHome)).toEqual([]);
  expect(await approversOf(project)).toEqual([]);
});
