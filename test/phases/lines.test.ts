import { expect, test } from "vitest";
import { blocksOf } from "../../src/definitions/phases/markdown/document-blocks.ts";
import { parseMarkdown } from "../../src/definitions/phases/markdown/markdown.ts";
import { phaseGate } from "../../src/definitions/phases/phase-gate.ts";
import { phasesIn } from "../../src/definitions/phases/single-file.ts";
import { taskListGate } from "../../src/definitions/phases/tasks/task-list-gate.ts";
import { describeComparison } from "../../src/gates/describe-rules.ts";
import type { Gate, Requirement } from "../../src/gates/gate.ts";
import { requiredFormat } from "../../src/gates/gate-format.ts";
import { boxes, documents, type Line, lookalikes, quiet, rows, sentences, taskLists } from "./lines.ts";
import { boxesInPlace, documentsInPlace, rowsInPlace, sentencesInPlace } from "./lines-in-place.ts";

type Verdict = "understood" | "closed" | "wrong";

const place = { path: "/w.md", file: "w.md", source: "w.md" };
const anchored = (text: string): string => `## Phase 1: Work\n\n${text}\n`;
const gated = (text: string): string => anchored(`### Validation Gate\n\n${text}`);
const tabled = (text: string): string =>
  anchored(`### Evidence\n\n| Evidence | Type | Validator | Description |\n|---|---|---|---|\n${text}`);

function asked(requirement: Requirement, gate: Gate): string {
  const { field, type, required, mayBeEmpty } = requirement;
  const format = requiredFormat({ ...gate, comparisons: [] })[field];
  const rule = typeof format === "object" && format !== null && "rule" in format ? String(format.rule) : "";
  const rules = rule === "" ? [] : rule.split("; ").filter((one) => one !== "may be empty");
  return [field, type, ...(required ? [] : ["optional"]), ...(mayBeEmpty ? ["may be empty"] : []), ...rules].join(
    " | ",
  );
}

/** What a document asks for, in the words of the collection. */
function outcome(markdown: string, isWhole: boolean, isList: boolean): readonly string[] {
  const document = parseMarkdown(markdown);
  if ("unusable" in document) return ["closed"];
  const { phases, complaints } = phasesIn(
    document,
    place,
    isList ? taskListGate : ({ nodes }, _, at) => phaseGate(blocksOf(nodes), at),
  );
  const silent = complaints.filter(({ code }) => isWhole || code !== "phase-without-requirement");
  if (silent.some(({ closes }) => closes) || phases.some(({ gate }) => gate.closed)) return ["closed"];
  const asks = phases.flatMap(({ number, gate }) => {
    const lead = isWhole ? `${number}: ` : "";
    return [
      ...gate.requirements.map((one) => `${lead}${asked(one, gate)}`),
      ...gate.comparisons.map((one) => `${lead}compares ${describeComparison(one)}`),
      ...(gate.approval ? [`${lead}approval`] : []),
    ];
  });
  const found = silent.length > 0 ? ["finding"] : [];
  return [...asks, ...found].length === 0 ? ["nothing"] : [...asks, ...found];
}

function judge(wanted: readonly string[], found: readonly string[]): Verdict {
  const same = [...wanted].sort().join("\n") === [...found].sort().join("\n");
  if (same) return wanted[0] === "closed" ? "closed" : "understood";
  return found[0] === "closed" && wanted[0] !== "nothing" && wanted[0] !== "finding" ? "closed" : "wrong";
}

const collection: readonly {
  readonly line: Line;
  readonly text: string;
  readonly isWhole: boolean;
  readonly isList: boolean;
}[] = [
  ...[...sentences, ...sentencesInPlace, ...quiet].map((line) => ({
    line,
    text: anchored(line[0]),
    isWhole: false,
    isList: false,
  })),
  ...[...boxes, ...boxesInPlace].map((line) => ({ line, text: gated(line[0]), isWhole: false, isList: false })),
  ...[...rows, ...rowsInPlace].map((line) => ({ line, text: tabled(line[0]), isWhole: false, isList: false })),
  ...[...documents, ...documentsInPlace].map((line) => ({ line, text: line[0], isWhole: true, isList: false })),
  ...taskLists.map((line) => ({ line, text: line[0], isWhole: true, isList: true })),
];

const judged = collection.map(({ line: [written, ...wanted], text, isWhole, isList }) => {
  const found = outcome(text, isWhole, isList);
  return { written, wanted, found, verdict: judge(wanted, found) };
});

test("of the lines in other people's style none is lost, turned round, merged or made up", () => {
  expect(collection.length).toBeGreaterThanOrEqual(150);
  const wrong = judged.filter(({ verdict }) => verdict === "wrong");
  expect(wrong.map(({ written, wanted, found }) => ({ written, wanted, found }))).toEqual([]);
});

test("what only looks like a rule of the grammar closes the gate", () => {
  const written = [
    ...lookalikes.said.map((words) => anchored(`- Must provide \`n\`: ${words}`)),
    ...lookalikes.boxed.map((words) => gated(`- [ ] \`n\`: ${words}`)),
    ...lookalikes.ruled.map((rule) => tabled(`| \`n\` | integer | ${rule} | how many |`)),
  ];
  const open = written.map((text) => [text, ...outcome(text, false, false)]).filter(([, found]) => found !== "closed");
  expect(open).toEqual([]);
});

test("at least two thirds of the lines that ask for something are understood rather than closed", () => {
  const asking = judged.filter(({ wanted }) => wanted[0] !== "nothing" && wanted[0] !== "finding");
  const understood = asking.filter(({ verdict }) => verdict === "understood");
  expect(understood.length / asking.length).toBeGreaterThanOrEqual(2 / 3);
});
