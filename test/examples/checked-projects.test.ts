import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { oneOf } from "../whole.ts";

const examples = [
  ["team-proof", "The team's process holds."],
  ["library", "The library's process holds."],
] as const;

test.each(oneOf(2, examples))("examples/%s checks itself", async (name, last) => {
  const check = join(import.meta.dirname, `../../examples/${name}/check.mjs`);
  const { stdout } = await promisify(execFile)(process.execPath, [check]);
  expect(stdout).toContain(last);
});
