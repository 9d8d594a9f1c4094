import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findingCodes } from "../../src/definitions/check/codes.ts";

test("the codes and their severities are these", () => {
  const codes = Object.entries(findingCodes).map(([code, { severity }]) => `${severity} ${code}`);
  expect(codes).toEqual([
    "error malformed-json",
    "error empty-file",
    "warning empty-text",
    "error cannot-be-used",
    "error wrong-type",
    "warning wrong-type-ignored",
    "warning unknown-key",
    "warning duplicate-key",
    "warning misspelt-file",
    "info trailing-blank-lines",
    "info numbered-folder",
    "error missing-action-config",
    "error duplicate-action",
    "info stray-folder",
    "info name-differs-from-folder",
    "error no-actions",
    "warning missing-order",
    "warning duplicate-order",
    "info order-gap",
    "info missing-next-action",
    "error dangling-next-action",
    "error cyclic-next-action",
    "error next-action-is-independent",
    "warning independent-with-order",
    "warning independent-with-next-action",
    "warning unreachable-action",
    "warning missing-instructions",
    "warning unknown-placeholder",
    "warning empty-placeholder",
    "warning left-over",
    "warning long-instructions",
    "warning long-action",
    "error no-behaviors",
    "warning duplicate-behavior",
    "warning behavior-without-folder",
    "error missing-behavior-folder",
    "warning unlisted-behavior",
    "warning two-behavior-folders",
    "error unusable-action-list",
    "warning two-action-lists",
    "error unknown-listed-action",
    "error independent-action-listed",
    "warning duplicate-listed-action",
    "warning skip-without-reason",
    "error idle-override",
    "error override-sets-workflow",
    "error gate-malformed",
    "error gate-unknown-key",
    "error gate-wrong-value",
    "error gate-asks-nothing",
    "error gate-misspelt-name",
    "error two-gate-files",
    "warning gate-not-strict",
    "error idle-gate",
    "warning not-a-rule",
    "warning rule-without-examples",
    "warning duplicate-rule",
    "error unusable-check",
    "error unsatisfiable-rule",
    "error no-bot",
    "error missing-bot-config",
    "error duplicate-bot",
    "info config-in-subfolder",
    "warning shared-project-area",
    "error project-area-outside-root",
    "error invalid-trigger-pattern",
    "error dangerous-trigger-pattern",
    "info pattern-as-trigger",
    "warning tool-name-collision",
    "info tool-name-altered",
    "warning tools-over-budget",
  ]);
});

test("each code has a section in docs/findings.md that begins with its severity, and each section a code", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/findings.md"), "utf8");
  const sections = [...page.matchAll(/^### ([a-z-]+)\n\n(\w+)\./gm)].map(([, code, severity = ""]) => [code, severity]);
  const codes = Object.entries(findingCodes).map(([code, { severity }]) => [code, severity]);
  expect(sections.map(([code, severity = ""]) => [code, severity.toLowerCase()])).toEqual(codes);
});
