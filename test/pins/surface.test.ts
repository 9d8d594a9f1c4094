import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as library from "../../src/index.ts";
import * as testing from "../../src/testing/index.ts";

const home = join(import.meta.dirname, "../..");

test("the codes are these, and each has a section in docs/errors.md", () => {
  expect(library.refusalCodes).toEqual([
    "phase_sequence_violation",
    "action_sequence_violation",
    "incomplete_checkpoint",
    "item_not_ready",
    "session_not_found",
    "unknown_workflow",
    "unknown_action",
    "invalid_definition",
    "approval_required",
    "approval_rejected",
    "check_failed",
    "check_untrusted",
    "conflict",
    "invalid_input",
    "forbidden",
    "too_large",
    "unavailable",
  ]);
  const errors = readFileSync(join(home, "docs/errors.md"), "utf8");
  for (const code of library.refusalCodes) expect(errors).toContain(`\n## ${code}\n`);
});

test("the package exports these names", () => {
  expect(Object.keys(library).sort()).toEqual([
    "Unavailable",
    "emptyChain",
    "extend",
    "fileStore",
    "memoryStore",
    "openWorkplace",
    "refusalCodes",
    "replay",
    "serveOverStdio",
    "toLine",
    "verifyLines",
    "viewsOnRequest",
  ]);
  expect(Object.keys(testing).sort()).toEqual([
    "begunExample",
    "completedExample",
    "contentContract",
    "eventLogContract",
    "pinsContract",
    "startedExample",
    "viewsContract",
  ]);
});

test("every dependency in the bundle has its reason in docs/internal/dependencies.md", () => {
  const reasons = readFileSync(join(home, "docs/internal/dependencies.md"), "utf8");
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  expect(manifest.dependencies).toBeUndefined();
  for (const name of Object.keys(manifest.devDependencies)) {
    if (!name.startsWith("@types/")) expect(reasons).toContain(name.replace(/^@vitest\/.*/, "vitest"));
  }
});
