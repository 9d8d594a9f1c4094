import type { Case } from "../broken-bot.ts";
import { soundBot } from "../sound-bot.ts";

const bot = "bots/story_bot/bot_config.json";
const second = "bots/test_bot/bot_config.json";
const material = { "bots/test_bot/behaviors/tests/key_questions.json": { questions: ["Which tests?"] } };
const nothing = Object.fromEntries(Object.keys(soundBot).map((path) => [path, null]));

/** Bots that are not served, not found, or cost too much. */
export const botCases: readonly Case[] = [
  { title: "no bot at all", files: { ...nothing, "config.json": {} }, finds: ["no-bot bots:1"] },
  {
    title: "phased workflows alone are whole without a bot",
    files: { ...nothing, "workflows/tests.md": "## Phase 1: Plan\n\n**Human Approval**: REQUIRED\n" },
    finds: [],
  },
  {
    title: "a bot's folder without a config",
    files: { "bots/test_bot/behaviors/tests/instructions.md": "Test.\n" },
    finds: [`missing-bot-config ${second}:1`],
  },
  {
    title: "two bots with one name",
    files: { "bots/test_bot/bot_config.json": { name: "story_bot", behaviors: ["shape"] } },
    finds: [`duplicate-bot ${second}:2`],
  },
  {
    title: "a config in a folder of its own, and a name that differs from the folder's",
    files: {
      [bot]: null,
      "bots/story_bot/config/bot_config.json": { name: "stories", behaviors: ["shape", "discovery"] },
    },
    finds: [
      "config-in-subfolder bots/story_bot/config/bot_config.json:1",
      "name-differs-from-folder bots/story_bot/config/bot_config.json:2",
    ],
  },
  {
    title: "two bots in one project area",
    files: { [second]: { name: "test_bot", behaviors: ["tests"] }, ...material },
    finds: [`shared-project-area ${second}:1`],
  },
  {
    title: "two bots with a project area each",
    files: { [second]: { name: "test_bot", behaviors: ["tests"], project_area: "tests" }, ...material },
    finds: [],
  },
  {
    title: "a project area outside the root",
    files: { [second]: { name: "test_bot", behaviors: ["tests"], project_area: "../elsewhere" }, ...material },
    finds: [`project-area-outside-root ${second}:6`],
  },
  {
    title: "trigger words that are patterns: one that does not compile, and some that do",
    files: {
      [bot]: {
        name: "story_bot",
        trigger_words: ["(story|map", "(a+)+ stories", "write (c++)?"],
        behaviors: ["shape", "discovery"],
      },
      "bots/story_bot/behaviors/shape/trigger_words.json": { patterns: ["\\bshape\\b", "what now?", "C++ (draft)"] },
    },
    finds: [
      "pattern-as-trigger bots/story_bot/behaviors/shape/trigger_words.json:3",
      `invalid-trigger-pattern ${bot}:4`,
      `pattern-as-trigger ${bot}:5`,
      `invalid-trigger-pattern ${bot}:6`,
    ],
  },
  {
    title: "more trigger words than a tool's description has room for, and keys of another engine",
    files: {
      [bot]: { name: "story_bot", verbose_mode: true, behaviors: ["shape", "discovery"] },
      "bots/story_bot/behaviors/shape/behavior.json": {
        behaviorName: "shape",
        trigger_words: { patterns: Array.from({ length: 30 }, (_, n) => `story number ${n}`) },
      },
    },
    finds: ["trigger-words-left-out bots/story_bot/behaviors/shape:1", `foreign-key ${bot}:3`],
  },
  {
    title: "a behavior whose tool would be called as the bot's",
    files: {
      "bots/story_bot/behaviors/story/key_questions.json": { questions: ["Which?"] },
      [bot]: { name: "story_bot", behaviors: ["shape", "discovery", "story"] },
    },
    finds: [`tool-name-collision ${bot}:6`],
  },
  {
    title: "a behavior whose name cannot be a tool's",
    files: {
      "bots/story_bot/behaviors/prüfung/key_questions.json": { questions: ["Was?"] },
      [bot]: { name: "story_bot", behaviors: ["shape", "discovery", "prüfung"] },
    },
    finds: [`tool-name-altered ${bot}:6`],
  },
  {
    title: "more tools than a model should have to read",
    files: {
      ...Object.fromEntries(
        Array.from({ length: 18 }, (_, n) => [
          `bots/story_bot/behaviors/part${n}/key_questions.json`,
          { questions: ["?"] },
        ]),
      ),
      [bot]: {
        name: "story_bot",
        behaviors: ["shape", "discovery", ...Array.from({ length: 18 }, (_, n) => `part${n}`)],
      },
    },
    finds: [`tools-over-budget ${bot}:1`],
  },
];
