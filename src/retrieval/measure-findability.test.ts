import { expect, it } from "vitest";
import { findability } from "./measure-findability.ts";

const timeouts = {
  file: "timeouts.md",
  text: "---\nquestions:\n  - How long should a timeout be?\n---\n# Timeouts\n\nA timeout of five seconds is long enough.\n",
};
const retries = {
  file: "retries.md",
  text: "# Retries\n\n## Questions this answers\n\n- When do I try again?\n- How many zebras fit?\n\n## Backoff\n\nRetry three times.\n",
};
const zebras = { file: "zebras.md", text: "# Zebras\n\nMany zebras fit into a field.\n" };

it("every listed question is asked, and those that miss their document are named with what they found", async () => {
  const report = await findability([timeouts, retries, zebras]);
  expect(report).toMatchObject({ asked: 3, first: 1, firstThree: 1 });
  expect(report.missed).toEqual([
    { file: "retries.md", line: 5, question: "When do I try again?", place: undefined, found: [] },
    { file: "retries.md", line: 6, question: "How many zebras fit?", place: undefined, found: ["zebras.md"] },
  ]);
});

it("a question is asked among what a reader of its document may see: open documents, and those of phases up to its own", async () => {
  const page = (head: string, question: string) =>
    `---\n${head}questions: [${question}]\n---\n# Zebras\n\nZebra zebra.\n`;
  const { missed, first } = await findability([
    { file: "a-first.md", text: page("workflow: w\nphase: 1\n", "A zebra?") },
    { file: "b-third.md", text: page("workflow: w\nphase: 3\n", "A zebra?") },
    { file: "c-other.md", text: page("workflow: v\nphase: 1\n", "A zebra?") },
    { file: "d-closed.md", text: page("phase: soon\n", "A zebra?") },
    { file: "e-open.md", text: page("", "A zebra?") },
  ]);
  expect(first).toBe(3);
  expect(missed.map(({ file, place, found }) => [file, place, found])).toEqual([
    ["b-third.md", 2, ["a-first.md", "b-third.md", "e-open.md"]],
    ["d-closed.md", undefined, ["e-open.md"]],
  ]);
});

it("documents that list no questions are counted", async () => {
  expect(await findability([timeouts, zebras])).toMatchObject({ documents: 2, withoutQuestions: 1, asked: 1 });
  expect(await findability([])).toMatchObject({ documents: 0, withoutQuestions: 0, asked: 0 });
});

it("a document is not found by its list of questions alone", async () => {
  const { first } = await findability([
    { file: "a.md", text: "---\nquestions: [What is a quokka?]\n---\n# A\n\nAn animal.\n" },
  ]);
  expect(first).toBe(0);
});
