import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../examples/own-store");

test("a store of somebody else's keeps the contract, and a bot is walked over it to the end", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "check.mjs")]);
  expect(stdout).toMatch(/^\d+ rules of the contract are kept\.\n/);
  expect(stdout).toContain("A bot was walked to its end in two windows: 4 records in histories.jsonl, whole.");
  expect(stdout).toContain("After a change in it: record 2 is not the one that record 3, line 3, follows");
  expect(stdout).not.toContain("workflow_state.json");
});

test("it is written against the published names alone", () => {
  for (const file of ["one-file-store.mjs", "check.mjs"]) {
    const imports = [...readFileSync(join(folder, file), "utf8").matchAll(/ from "([^"]+)";$/gm)];
    for (const [, name] of imports)
      expect(name).toMatch(/^(node:[a-z/_]+|waymark|waymark\/testing|\.\/one-file-store\.mjs)$/);
  }
});
