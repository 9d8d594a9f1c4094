import { join } from "node:path";
import { expect, test } from "vitest";
import { phasedFiles } from "../../src/definitions/phases/phased-files.testing.ts";
import type { Phase } from "../../src/definitions/phases/phased-workflow.ts";
import type { Requirement } from "../../src/gates/gate.ts";
import { describeRule } from "../../src/gates/rule-vocabulary.ts";
import { expected } from "./expected.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const definitions = phasedFiles({
  definitions: join(fixtures, "definitions"),
  projectArea: join(fixtures, "project"),
});

async function phasesOf(type: string): Promise<readonly Phase[]> {
  const reading = await definitions.read(type, type === "feature" ? { spec_path: "specs" } : {});
  if (!("workflow" in reading)) throw new Error(`${type}: ${JSON.stringify(reading)}`);
  return reading.workflow.phases;
}

function asked({ field, type, required, rules, mayBeEmpty }: Requirement): string {
  const parts = [field, type, required ? "" : "optional", mayBeEmpty ? "may be empty" : "", ...rules.map(describeRule)];
  return parts.filter((part) => part !== "").join(" | ");
}

test("of 25 phases and 60 fields in all dialects every one is found with its name, type and rule, and none is invented", async () => {
  const wanted = Object.values(expected).flat();
  expect(wanted.length).toBeGreaterThanOrEqual(25);
  expect(wanted.flatMap(({ asks }) => asks).length).toBeGreaterThanOrEqual(60);
  const [found, meant]: [string[], string[]] = [[], []];
  for (const [type, phases] of Object.entries(expected)) {
    const read = await phasesOf(type);
    for (const { number, gate } of read)
      found.push(...gate.requirements.map((one) => `${type} ${number}: ${asked(one)}`));
    for (const [index, { asks }] of phases.entries())
      meant.push(...asks.map((one) => `${type} ${read[index]?.number}: ${one}`));
  }
  expect({
    missed: meant.filter((one) => !found.includes(one)),
    invented: found.filter((one) => !meant.includes(one)),
  }).toEqual({ missed: [], invented: [] });
});

test.each(Object.keys(expected))("a person is asked in %s exactly where its documents say so", async (type) => {
  const phases = expected[type] ?? [];
  expect((await phasesOf(type)).map(({ gate }) => gate.approval)).toEqual(
    phases.map(({ approval }) => approval === true),
  );
});

test.each(Object.keys(expected))("every demand of %s knows its file and line", async (type) => {
  for (const { gate } of await phasesOf(type)) {
    for (const { field, source } of gate.requirements) {
      expect(source?.file, field).toMatch(type === "feature" ? /^specs\/tasks\.md$/ : /^definitions\/workflows\//);
      expect(source?.line, field).toBeGreaterThan(1);
    }
  }
});

test("examples come from the documents, and only for what is asked for", async () => {
  const shown = (await phasesOf("incident-review")).at(-1)?.gate.examples;
  expect(shown).toEqual({ review_url: "https://wiki.example/reviews/42" });
  expect((await phasesOf("release"))[3]?.gate.examples).toEqual({ errors_before: 3, errors_after: 2 });
});

test("a phase holds its own text and nothing of another", async () => {
  const phases = await phasesOf("incident-review");
  expect(phases[0]?.content).toMatch(/^# Incident review\n[\s\S]*\n## Phase 1: Timeline\n/);
  for (const { number, content } of phases) {
    for (const other of phases) {
      if (other.number === number) continue;
      expect(content).not.toContain(other.name);
      for (const { field } of other.gate.requirements) expect(content).not.toContain(field);
    }
  }
});
