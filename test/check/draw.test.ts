import { expect, test } from "vitest";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { drawMermaid } from "../../src/lint/show/draw-mermaid.ts";
import { drawnBehaviors, drawText } from "../../src/lint/show/draw-sequences.ts";
import { plantCase } from "./broken-bot.ts";

test("a drawing shows every sequence with what goes on by itself, is skipped, or waits at a gate", () => {
  expect(drawText(drawnBehaviors(filesOf(plantCase({ files: {} }))))).toEqual([
    "story_bot",
    "  shape: gather → build (auto) → judge [gate]",
    "  discovery: gather → build (auto) (skip: built in shape) → judge [gate]",
    "  any time: correct",
  ]);
});

test("the same as a Mermaid flowchart", () => {
  expect(drawMermaid(drawnBehaviors(filesOf(plantCase({ files: {} }))))).toEqual([
    "flowchart LR",
    '  subgraph b1["story_bot: shape"]',
    '    b1s1["gather"]',
    '    b1s2["build (auto)"]',
    '    b1s3{"judge (gate)"}',
    "    b1s1 --> b1s2",
    "    b1s2 --> b1s3",
    "  end",
    '  subgraph b2["story_bot: discovery"]',
    '    b2s1["gather"]',
    '    b2s2("build (auto) (skip: built in shape)")',
    '    b2s3{"judge (gate)"}',
    "    b2s1 --> b2s2",
    "    b2s2 --> b2s3",
    "  end",
  ]);
});

test("a drawing ends where the sequence is closed, and says why", () => {
  const definitions = plantCase({
    files: {
      "base_actions/build/action_config.json": { name: "build", workflow: true, order: 2, next_action: "nowhere" },
      "base_actions/gather/gate-definition.yaml": "x: 1\n",
      "bots/story_bot/bot_config.json": { behaviors: ["shape"] },
    },
  });
  const [, sequence] = drawText(drawnBehaviors(filesOf(definitions)));
  expect(sequence).toMatch(
    /^ {2}shape: gather \[gate\] ✗ closed: line 1: the key "x" is unknown; use [\w, ]+ → build → ✗ closed: next_action "nowhere" of build does not exist$/,
  );
  expect(drawMermaid(drawnBehaviors(filesOf(definitions)))).toContain(
    '    b1s3{{"closed: next_action #34;nowhere#34; of build does not exist"}}',
  );
});

test("a name cannot break out of the drawing", () => {
  const name = 'a"]; click x "javascript:alert(1)" --> `b` <script>&\u001b[31m\n%%{init}';
  const definitions = plantCase({
    files: {
      "bots/story_bot/bot_config.json": { behaviors: [{ name, actions: ["gather"] }] },
      "bots/story_bot/behaviors/discovery/behavior.json": null,
    },
  });
  const mermaid = drawMermaid(drawnBehaviors(filesOf(definitions))).join("\n");
  const label = /subgraph b1\["(.*)"\]$/m.exec(mermaid)?.[1];
  expect(label).toMatch(/^[\p{L}\p{N} _.,:()#;-]+$/u);
  expect(drawText(drawnBehaviors(filesOf(definitions))).join("\n")).not.toContain("\u001b");
});
