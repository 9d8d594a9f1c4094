import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { engineSurroundings } from "../../src/app/check-project.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { fixDefinitions } from "../../src/lint/fix-definitions.ts";
import type { Finding } from "../../src/lint/reported-finding.ts";
import { wholeOr } from "../whole.ts";
import { findingsIn, plantCase } from "./broken-bot.ts";
import { corpus } from "./corpus/all.ts";
import { engineView } from "./engine-view.ts";
import type { Files } from "./sound-bot.ts";

const fix = async (definitions: string) =>
  fixDefinitions(filesOf(definitions), await engineSurroundings(filesOf(definitions), dirname(definitions)));

async function mendedText(path: string, files: Files): Promise<string> {
  const definitions = plantCase({ files });
  await fix(definitions);
  return readFileSync(join(definitions, path), "utf8");
}

test.each(
  wholeOr(
    corpus,
    corpus.filter((_, at) => at % 8 === 0),
  ),
)("mending changes nothing that the engine does: $title", async ({ files, links = {} }) => {
  const definitions = plantCase({ files, links });
  const before = engineView(definitions);
  const lasting = (await findingsIn(definitions)).filter(({ fixable }) => !fixable);
  await fix(definitions);
  expect(engineView(definitions)).toEqual(before);
  const codes = (findings: readonly Finding[]) => findings.map(({ code, file }) => `${code} ${file}`);
  expect(codes(await findingsIn(definitions))).toEqual(codes(lasting));
  expect(await fix(definitions)).toEqual([]);
});

test("a missing next_action is written as what the engine does now, in the layout of the file", async () => {
  const gather = "base_actions/gather/action_config.json";
  const judge = "base_actions/judge/action_config.json";
  const files = {
    [gather]: '{\r\n\t"name": "gather",\r\n\t"order": 1\r\n}\r\n',
    [judge]: '\uFEFF{"name":"judge","order":3}',
  };
  expect(await mendedText(gather, files)).toBe(
    '{\r\n\t"name": "gather",\r\n\t"order": 1,\r\n\t"next_action": "build"\r\n}\r\n',
  );
  expect(await mendedText(judge, files)).toBe('\uFEFF{"name":"judge","order":3,"next_action":null}');
});

test("a missing next_action is left alone where two behaviors go on differently", async () => {
  const gather = "base_actions/gather/action_config.json";
  const files = {
    [gather]: { name: "gather", workflow: true, order: 1 },
    "bots/story_bot/behaviors/discovery/behavior.json": null,
    "bots/story_bot/behaviors/discovery/build/action_config.json": { order: 9 },
  };
  const definitions = plantCase({ files });
  expect((await findingsIn(definitions)).map(({ code, fixable }) => [code, fixable])).toContainEqual([
    "missing-next-action",
    false,
  ]);
  expect(await fix(definitions)).toEqual([]);
});

test("an independent action loses its order and its next_action", async () => {
  const path = "base_actions/correct/action_config.json";
  const text = '{ "name": "correct", "workflow": false, "order": 7, "next_action": "build" }\n';
  expect(await mendedText(path, { [path]: text })).toBe(
    '{ "name": "correct", "workflow": false, "order": null, "next_action": null }\n',
  );
});

test("an order in quotes loses them", async () => {
  const path = "base_actions/gather/action_config.json";
  const text = '{ "name": "gather", "order": "1", "next_action": "build" }\n';
  expect(await mendedText(path, { [path]: text })).toBe('{ "name": "gather", "order": 1, "next_action": "build" }\n');
});

test("a name that is listed twice is taken out, an entry that says more is left to its author", async () => {
  const path = "bots/story_bot/bot_config.json";
  const text = '{\n  "behaviors": [\n    "shape",\n    "shape",\n    "discovery",\n    "1_shape"\n  ]\n}\n';
  expect(await mendedText(path, { [path]: text })).toBe('{\n  "behaviors": [\n    "shape",\n    "discovery"\n  ]\n}\n');
  const more = '{ "behaviors": ["shape", "discovery", { "name": "shape", "actions": ["gather"] }] }\n';
  expect(await mendedText(path, { [path]: more })).toBe(more);
});

test("blank lines at the end go, and line ends stay as they are", async () => {
  const path = "base_actions/build/instructions.md";
  expect(await mendedText(path, { [path]: "Build it.\r\n\r\n  \r\n" })).toBe("Build it.\r\n");
});

test("what was mended is reported by file and code", async () => {
  const definitions = plantCase({ files: { "config.json": '{ "behaviors": "ordered" }\n\n' } });
  expect(await fix(definitions)).toEqual([{ file: ".waymark/config.json", codes: ["trailing-blank-lines"] }]);
});
