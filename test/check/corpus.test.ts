import { expect, test } from "vitest";
import { findingCodes } from "../../src/definitions/finding-codes.ts";
import { wholeOr } from "../whole.ts";
import { findingsIn, plantCase, shortly } from "./broken-bot.ts";
import { corpus } from "./corpus/all.ts";
import { closedIn, closedWorkflows, isReported } from "./engine-view.ts";

test("in a sound bot nothing is found", async () => {
  expect(await findingsIn(plantCase({ files: {} }))).toEqual([]);
});

test.each(
  wholeOr(
    corpus,
    corpus.filter((_, at) => at % 4 === 0),
  ),
)("$title", async ({ files, links = {}, finds }) => {
  const definitions = plantCase({ files, links });
  const findings = await findingsIn(definitions);
  expect(findings.map(shortly)).toEqual(finds);
  // What the engine closes is never passed over.
  expect(closedIn(definitions).filter((problem) => !isReported(problem, findings))).toEqual([]);
  const errors = findings.filter(({ severity }) => severity === "error");
  for (const { file } of await closedWorkflows(definitions))
    expect(errors.filter((finding) => finding.file.startsWith(file))).not.toEqual([]);
});

test("every code has a case", () => {
  const shown = new Set(corpus.flatMap(({ finds }) => finds.map((found) => found.split(" ")[0])));
  expect(Object.keys(findingCodes).filter((code) => !shown.has(code))).toEqual([]);
});

test("a message names what it is about and what was most likely meant", async () => {
  const definitions = plantCase({
    files: {
      "base_actions/gather/action_config.json": {
        name: "gather",
        workflow: true,
        order: 1,
        next_acton: "biuld",
        next_action: "biuld",
      },
      "base_actions/judge/gate-definition.yaml": "aproval: required\nchecks: [rules]\n",
    },
  });
  expect((await findingsIn(definitions)).map(({ message, fix }) => [message, fix])).toEqual([
    [
      'the key "next_acton" is unknown and ignored; did you mean "next_action"?',
      "Use one of name, workflow, order, next_action, auto_progress, description, instructions, or delete it.",
    ],
    ['next_action "biuld" of gather does not exist; did you mean "build"?', "Name an existing action, or use null."],
    [
      expect.stringMatching(
        /^the gate is closed: the key "aproval" is unknown; use .*approval, .*; did you mean "approval"\?$/,
      ),
      "Fix the key or delete it.",
    ],
  ]);
});
