import { dirname } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { plantCase } from "./broken-bot.ts";

function ask(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const root = dirname(plantCase({ files }));
  return runCli(["check", "--findability", "--root", root, ...args]);
}

const timeouts = {
  "standards/timeouts.md":
    "---\nquestions:\n  - How long is a timeout?\n---\n# Timeouts\n\nA timeout of five seconds is long.\n",
};
const library = {
  ...timeouts,
  "standards/retries.md":
    "# Retries\n\n## Questions this answers\n\n- When do I try again?\n- How long is a retry?\n\n## Backoff\n\nA retry follows soon.\n",
  "standards/length.md": "# How long a retry is\n\nLong, long.\n",
};

test("the questions that standards list are asked, and those that miss their document are shown with what came first", async () => {
  expect(await ask(library)).toEqual({
    code: 0,
    stderr: "",
    stdout: `questions                  3
found first                1  33.3%
among the first three      2  66.7%
not among the first three  1  33.3%
1 of 3 standards lists no questions.

.waymark/standards/retries.md:5  not found  When do I try again?
  no document contains any of its words

.waymark/standards/retries.md:6  ranked 2  How long is a retry?
  found instead: .waymark/standards/length.md
`,
  });
});

test("the report is there as data", async () => {
  expect(JSON.parse((await ask(library, "--json")).stdout)).toEqual({
    documents: 3,
    withoutQuestions: 1,
    asked: 3,
    first: 1,
    firstThree: 2,
    missed: [
      { file: ".waymark/standards/retries.md", line: 5, question: "When do I try again?", place: null, found: [] },
      {
        file: ".waymark/standards/retries.md",
        line: 6,
        question: "How long is a retry?",
        place: 2,
        found: [".waymark/standards/length.md", ".waymark/standards/retries.md", ".waymark/standards/timeouts.md"],
      },
    ],
  });
});

test("it is a report and fails only where it is strict and a document is not among the first three", async () => {
  expect((await ask(library, "--strict")).code).toBe(1);
  expect((await ask(timeouts, "--strict")).code).toBe(0);
});

test("where there is nothing to ask, that is said", async () => {
  expect(await ask({})).toMatchObject({ code: 0, stdout: "There are no standards to search.\n" });
  expect((await ask({ "standards/a.md": "# A\n\nText.\n" })).stdout).toBe(
    "Nothing to search for: 1 of 1 standards lists no questions.\nAdd them to the front matter under questions (see docs/standards.md).\n",
  );
});
