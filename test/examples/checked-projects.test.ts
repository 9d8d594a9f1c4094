import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test.each([
  ["library", "The library's process holds."],
  ["team-proof", "The team's process holds."],
])("examples/%s checks itself", async (name, last) => {
  const check = join(import.meta.dirname, `../../examples/${name}/check.mjs`);
  const { stdout } = await promisify(execFile)(process.execPath, [check]);
  expect(stdout).toContain(last);
});
