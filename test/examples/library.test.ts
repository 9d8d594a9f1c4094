import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the library in examples/ walks its process, and its gate for pull requests holds", async () => {
  const check = join(import.meta.dirname, "../../examples/library/check.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [check]);
  expect(stdout).toContain("The library's process holds.");
});
