import { expect, it } from "vitest";
import { findability } from "./findability.ts";

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

it("a document is not found by its list of questions alone", async () => {
  const { first } = await findability([
    { file: "a.md", text: "---\nquestions: [What is a quokka?]\n---\n# A\n\nAn animal.\n" },
  ]);
  expect(first).toBe(0);
});
