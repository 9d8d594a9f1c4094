import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseValidator } from "../../src/definitions/gates/validator.ts";
import { phasedFiles } from "../../src/definitions/phases/phased-files.testing.ts";
import type { Phase } from "../../src/definitions/phases/phased-workflow.ts";
import { evidenceTypes } from "../../src/gates/gate.ts";
import type { JsonObject } from "../../src/kit/json.ts";

describe("the guide for authors, docs/phases.md, shows what is true", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/phases.md"), "utf8");
  const blocks = [...guide.matchAll(/```(md|yaml)\n([\s\S]*?)\n```/g)].map(([, kind, text = ""]) => ({ kind, text }));
  const block = (start: string): string => blocks.find(({ text }) => text.startsWith(start))?.text ?? "";

  /** The phases of a workflow that consists of these files. */
  async function load(files: Readonly<Record<string, string>>, options: JsonObject = {}): Promise<readonly Phase[]> {
    const root = mkdtempSync(join(tmpdir(), "waymark-guide-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), `${text}\n`);
    }
    const read = await phasedFiles({ definitions: root, projectArea: root }).read("shown", options);
    if (!("workflow" in read)) throw new Error(JSON.stringify(read));
    return read.workflow.phases;
  }
  const asked = (phases: readonly Phase[]): Record<string, string> =>
    Object.fromEntries(phases.flatMap(({ gate }) => gate.requirements.map(({ field, type }) => [field, type])));

  test("a workflow in one file", async () => {
    const phases = await load({ "workflows/shown.md": block("# Review a change") });
    expect(phases.map(({ name }) => name)).toEqual(["Read", "Judge"]);
    expect(asked(phases)).toEqual({
      files_read: "list",
      diff_output: "any",
      remarks: "list",
      blocking_count: "integer",
    });
  });

  test("a gate file, a table and a checkbox list", async () => {
    const folder = async (phase: string, gate: Record<string, string> = {}) =>
      load({ "workflows/shown/metadata.json": "{}", "workflows/shown/phases/1/phase.md": phase, ...gate });
    const yaml = { "workflows/shown/phases/1/gate-definition.yaml": block("evidence_schema:") };
    const [first] = await folder("# Phase 1: One", yaml);
    expect(first?.gate).toMatchObject({ approval: true, comparisons: [{ is: "equal_to" }] });
    expect(first?.gate.requirements.map(({ field }) => field)).toEqual([
      "tests_total",
      "tests_passed",
      "report",
      "notes",
    ]);
    expect(asked(await folder(block("| Evidence")))).toEqual({ tests_total: "integer", report: "string" });
    expect(asked(await folder(block("# Closing the kitchen")))).toEqual({
      fridge_temperature_is_at_most_4: "boolean",
      every_surface_was_wiped: "boolean",
    });
    expect(asked(await folder(block("# Handling an incident")))).toEqual({
      root_cause: "string",
      severity: "string",
      how_many_customers_were_affected_unless: "any",
    });
  });

  test("phases from a task list", async () => {
    const metadata = /```json\n(.*"dynamic": true.*)\n```/.exec(guide)?.[1] ?? "";
    const files = { "workflows/shown/metadata.json": metadata, "docs/tasks.md": block("## Phase 1: Storage") };
    expect(asked(await load(files, { tasks: "docs/tasks.md" }))).toEqual({
      migration_applies: "any",
      migration_reverts: "any",
      task_1_2_completed: "boolean",
    });
  });

  test("every validator of its table is understood", () => {
    const rows = guide.split("\n").filter((line) => /^\| `(greater|percent|min_|is_|file)/.test(line));
    const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(names.length).toBeGreaterThanOrEqual(9);
    for (const name of names)
      expect(
        evidenceTypes.some((type) => "rules" in parseValidator(name, { type })),
        name,
      ).toBe(true);
  });
});
