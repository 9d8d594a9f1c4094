import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openMachineState, stateFolder } from "./machine-state.ts";
import { seal, unseal } from "./seal.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waymark-machine-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("a machine makes its key once, for its user alone, and whoever comes next reads that one", () => {
  const home = join(folder(), "waymark");
  const [one, other] = [openMachineState(home).key(), openMachineState(home).key()];
  expect(one?.id).toBe(other?.id);
  expect(readdirSync(home)).toEqual(["key"]);
  if (process.platform !== "win32") expect(statSync(join(home, "key")).mode & 0o777).toBe(0o600);
  expect(openMachineState(folder()).key()?.id).not.toBe(one?.id);
});

it("without a key nothing is sealed: a home that cannot be written, a key that is none", () => {
  const home = folder();
  writeFileSync(join(home, "file"), "");
  expect(openMachineState(join(home, "file", "waymark")).key()).toBeUndefined();
  mkdirSync(join(home, "waymark"));
  writeFileSync(join(home, "waymark", "key"), "short\n");
  expect(openMachineState(join(home, "waymark")).key()).toBeUndefined();
});

it("what is sealed opens only as what it is about, untouched, and on the machine that sealed it", () => {
  const [mine, theirs] = [openMachineState(folder()).key(), openMachineState(folder()).key()];
  if (mine === undefined || theirs === undefined) throw new Error("no key");
  const sealed = Buffer.concat(seal(mine, "one thing", Buffer.from("said")));
  expect(unseal(mine, "one thing", sealed)).toEqual({ body: Buffer.from("said") });
  expect(unseal(mine, "another", sealed)).toEqual({ not: "forged" });
  expect(unseal(mine, "one thing", Buffer.concat([sealed, Buffer.from("!")]))).toEqual({ not: "forged" });
  expect(unseal(mine, "one thing", sealed.subarray(0, -1))).toEqual({ not: "cut" });
  expect(unseal(mine, "one thing", Buffer.from("said"))).toEqual({ not: "unsealed" });
  expect(unseal(theirs, "one thing", sealed)).toEqual({ not: "another machine's" });
});

it("the state folder is that of the user; a relative name of it is none, and one inside the project proves nothing", () => {
  const { XDG_STATE_HOME: before } = process.env;
  onTestFinished(() => {
    process.env.XDG_STATE_HOME = before;
  });
  process.env.XDG_STATE_HOME = "state";
  expect(stateFolder()).toMatch(/\.local.state.waymark$/);
  const area = folder();
  expect(openMachineState(join(area, "state")).isOutside(area)).toBe(false);
  expect(openMachineState(`${area}-state`).isOutside(area)).toBe(true);
});
