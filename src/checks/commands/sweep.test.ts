import { spawn } from "node:child_process";
import { readlinkSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { ownMark } from "./process-mark.ts";
import { ownSleep, processesWith, until } from "./processes.testing.ts";
import { sweepLeftOvers } from "./sweep.ts";

const space = `ns${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;

/** A process that a check might have left: with the marker of an owner, or with none. */
async function left(marker?: string): Promise<{ readonly pid: number; isThere(): boolean }> {
  const sleep = ownSleep();
  const env = { PATH: process.env.PATH, ...(marker === undefined ? {} : { WAYMARK_CHECK: marker }) };
  const { pid = 0 } = spawn("sleep", [sleep], { stdio: "ignore", detached: true, env });
  const isThere = (): boolean => processesWith(sleep).includes(pid);
  await until(isThere);
  onTestFinished(() => {
    if (isThere()) process.kill(pid, "SIGKILL");
  });
  return { pid, isThere };
}

// Attack (shell): Have something else ended by that clean-up
// -> Refused: only what has the marker of a server of this namespace that is dead
test("what a dead server left is swept, and nothing else: not what a living one runs, nor what nobody here can tell the owner of", async () => {
  const dead = await Promise.all([left(`${space}-999999999-1.x`), left(`${space}-${process.pid}-1.reused-number`)]);
  const living = await Promise.all([
    left(`${await ownMark()}.x`),
    left("ns1-999999999-1.of-another-namespace"),
    left("x-999999999-1.unknown"),
    left("no mark at all"),
    left(""),
    left(),
  ]);
  expect(await sweepLeftOvers()).toBeGreaterThanOrEqual(dead.length);
  await until(() => !dead.some(({ isThere }) => isThere()));
  expect(living.map(({ isThere }) => isThere())).toEqual(living.map(() => true));
});
