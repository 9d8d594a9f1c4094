import type { Case } from "../broken-bot.ts";

const bot = "bots/story_bot/bot_config.json";
const discovery = "bots/story_bot/behaviors/discovery";
const list = `${discovery}/behavior.json`;

/** Behaviors that are not there, not served, or walk another sequence than their author thinks. */
export const behaviorCases: readonly Case[] = [
  {
    title: "a bot without behaviors",
    files: { [bot]: { name: "story_bot", behaviors: [] } },
    finds: [`no-behaviors ${bot}:3`],
  },
  {
    title: "behaviors that are no list",
    files: { [bot]: { name: "story_bot", behaviors: "shape" } },
    finds: [`wrong-type ${bot}:3`],
  },
  {
    title: "an entry of behaviors without a name",
    files: { [bot]: { name: "story_bot", behaviors: ["shape", { folder: "discovery" }, "discovery"] } },
    finds: [`wrong-type-ignored ${bot}:5`],
  },
  {
    title: "a behavior that is listed twice",
    files: { [bot]: { name: "story_bot", behaviors: ["shape", "discovery", "1_shape"] } },
    finds: [`duplicate-behavior ${bot}:6`],
  },
  {
    title: "a behavior that is listed and not there",
    files: {
      [bot]: { name: "story_bot", behaviors: ["shape", "discovery", "tests"] },
      "base_actions/gather/instructions.md": "Ask.\n",
    },
    finds: [`behavior-without-folder ${bot}:6`],
  },
  {
    title: "a behavior whose folder does not exist",
    files: { [bot]: { name: "story_bot", behaviors: ["shape", "discovery", { name: "tests", folder: "gone" }] } },
    finds: [`missing-behavior-folder ${bot}:8`],
  },
  {
    title: "a behavior's folder that is not listed",
    files: { "bots/story_bot/behaviors/tests/instructions.md": "Test it.\n" },
    finds: ["unlisted-behavior bots/story_bot/behaviors/tests:1"],
  },
  {
    title: "behaviors with an order of their own, other than the bot's list",
    files: {
      [bot]: { name: "story_bot", behaviors: ["shape", "discovery"] },
      "bots/story_bot/behaviors/shape/behavior.json": { order: 2 },
      "bots/story_bot/behaviors/discovery/behavior.json": { order: 1 },
    },
    finds: [`other-behavior-order ${bot}:3`],
  },
  {
    title: "two folders for one behavior",
    files: { "bots/story_bot/behaviors/2_shape/instructions.md": "Shape it.\n" },
    finds: [
      "numbered-folder bots/story_bot/behaviors/2_shape:1",
      "unread-file bots/story_bot/behaviors/2_shape/instructions.md:1",
      `two-behavior-folders ${bot}:10`,
    ],
  },
  {
    title: "a behavior that is named otherwise than its folder",
    files: { [list]: { name: "exploration" } },
    finds: [`name-differs-from-folder ${list}:2`],
  },
  {
    title: "a malformed behavior config closes the behavior",
    files: { [list]: '{ "actions": ' },
    finds: [`malformed-json ${list}:1`],
  },
  {
    title: "a list of actions that is no list, one that is empty, and one with a nameless entry",
    files: {
      [list]: { actions: "gather" },
      "bots/story_bot/behaviors/shape/behavior.json": { description: "x", actions: [] },
      [bot]: { name: "story_bot", behaviors: ["shape", "discovery", { name: "tests", actions: ["gather", {}] }] },
      "bots/story_bot/behaviors/tests/instructions.md": "Test it.\n",
    },
    finds: [
      `unusable-action-list ${list}:2`,
      "unusable-action-list bots/story_bot/behaviors/shape/behavior.json:3",
      `unusable-action-list ${bot}:8`,
    ],
  },
  {
    title: "a list of actions in two files",
    files: {
      [bot]: { name: "story_bot", behaviors: ["shape", { name: "discovery", actions: ["gather"] }] },
    },
    finds: [`two-action-lists ${list}:3`],
  },
  {
    title: "a list that names an action nobody knows",
    files: { [list]: { actions: ["gather", "bild", "judge"] } },
    finds: [`unknown-listed-action ${list}:4`],
  },
  {
    title: "a list that names an independent action",
    files: { [list]: { actions: ["gather", "correct"] } },
    finds: [`independent-action-listed ${list}:4`],
  },
  {
    title: "a list that names an action twice",
    files: { [list]: { actions: ["gather", "judge", "gather"] } },
    finds: [`duplicate-listed-action ${list}:5`],
  },
  {
    title: "a skip without a reason, one that is no reason, and a key that nobody knows",
    files: {
      [list]: {
        actions: [
          { name: "gather", skip: true },
          { name: "build", skip: 7 },
          { name: "judge", skp: "why" },
        ],
      },
    },
    finds: [`skip-without-reason ${list}:5`, `wrong-type-ignored ${list}:9`, `unknown-key ${list}:13`],
  },
  {
    title: "a gate and a config for an action that does not exist",
    files: {
      [`${discovery}/juge/gate-definition.yaml`]: "approval: required\n",
      [`${discovery}/biuld/action_config.json`]: { auto_progress: true },
    },
    finds: [`idle-override ${discovery}/biuld:1`, `idle-override ${discovery}/juge:1`],
  },
  {
    title: "a behavior that takes an action out of the sequence by its config",
    files: { [`${discovery}/judge/action_config.json`]: { workflow: false } },
    finds: [`override-sets-workflow ${discovery}/judge/action_config.json:2`],
  },
  {
    title: "what is wrong is told by what it is, whatever its name sounds like",
    files: {
      [bot]: { behaviors: ["shape", { name: "name must be a text", folder: "gone" }, "discovery"] },
      [list]: { actions: ["gather", "skip of build has no reason", "judge"] },
    },
    finds: [`unknown-listed-action ${list}:4`, `tool-name-altered ${bot}:4`, `missing-behavior-folder ${bot}:6`],
  },
];
