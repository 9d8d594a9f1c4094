import type { Case } from "../broken-bot.ts";

const action = "base_actions/gather/action_config.json";
const bot = "bots/story_bot/bot_config.json";
const questions = "bots/story_bot/behaviors/shape/key_questions.json";

/** Files that cannot be read, say too little, or have the wrong name. */
export const fileCases: readonly Case[] = [
  {
    title: "an action config with a comma too many",
    files: { [action]: '{\n  "name": "gather",\n  "order": 1,\n}\n' },
    finds: [`malformed-json ${action}:4`],
  },
  {
    title: "a bot config with a comment",
    files: { [bot]: '{\n  // the bot\n  "name": "story_bot"\n}\n' },
    finds: [`malformed-json ${bot}:2`],
  },
  {
    title: "questions that end too early",
    files: {
      [questions]: '{\n  "questions": [\n    "Who uses it?"\n',
      "base_actions/gather/instructions.md": "Answer the questions of {{behavior}}.\n",
    },
    finds: [`malformed-json ${questions}:3`],
  },
  {
    title: "settings with a missing comma",
    files: { "config.json": '{\n  "behaviors": "ordered"\n  "external_edits": "obey"\n}\n' },
    finds: ["malformed-json config.json:3"],
  },
  {
    title: "approvers with a comma too many",
    files: { "approvers.json": '{\n  "approvers": [],\n}\n' },
    finds: ["malformed-json approvers.json:3"],
  },
  {
    title: "an approver whose key is none",
    files: {
      "approvers.json": { approvers: [{ name: "dana", kind: "ed25519", key: "1", public: "2", enrolled: "3" }] },
    },
    finds: ["cannot-be-used approvers.json:1"],
  },
  {
    title: "approvers in a file of almost that name",
    files: { "approver.json": { approvers: [] } },
    finds: ["misspelt-file approver.json:1"],
  },
  { title: "an empty action config", files: { [action]: "\n" }, finds: [`empty-file ${action}:1`] },
  { title: "empty settings", files: { "config.json": "" }, finds: ["empty-file config.json:1"] },
  {
    title: "empty instructions",
    files: { "base_actions/build/instructions.md": "\n\n" },
    finds: [
      "missing-instructions base_actions/build/action_config.json:1",
      "empty-text base_actions/build/instructions.md:1",
    ],
  },
  {
    title: "a folder of actions that is a link to itself",
    files: {},
    links: { "bots/story_bot/base_actions": "base_actions" },
    finds: ["cannot-be-used bots/story_bot/base_actions:1"],
  },
  {
    title: "instructions that are a link to nowhere",
    files: { "base_actions/build/instructions.md": null },
    links: { "base_actions/build/instructions.md": "/nowhere/at/all" },
    finds: [
      "missing-instructions base_actions/build/action_config.json:1",
      "cannot-be-used base_actions/build/instructions.md:1",
    ],
  },
  {
    title: "material that is nested as nobody can read it",
    files: { "bots/story_bot/behaviors/shape/knowledge_schema.json": "[".repeat(20_000) + "]".repeat(20_000) },
    finds: ["cannot-be-used bots/story_bot/behaviors/shape/knowledge_schema.json:1"],
  },
  {
    title: "an action config that is a list",
    files: { [action]: "[]\n" },
    finds: [`wrong-type ${action}:1`],
  },
  {
    title: "workflow as a text",
    files: { [action]: { name: "gather", workflow: "yes", order: 1, next_action: "build" } },
    finds: [`wrong-type ${action}:3`],
  },
  {
    title: "next_action as a list, order as a list, in two actions",
    files: {
      [action]: { name: "gather", workflow: true, order: 1, next_action: ["build"] },
      "base_actions/build/action_config.json": { name: "build", workflow: true, order: [2], next_action: "judge" },
    },
    finds: ["wrong-type base_actions/build/action_config.json:4", `wrong-type ${action}:5`],
  },
  {
    title: "a setting with a value that nobody knows",
    files: { "config.json": { behaviors: "strict" } },
    finds: ["wrong-type config.json:2"],
  },
  {
    title: "a project area that is a number",
    files: { [bot]: { name: "story_bot", behaviors: ["shape", "discovery"], project_area: 7 } },
    finds: [`wrong-type ${bot}:7`],
  },
  {
    title: "a name, an order and auto_progress of the wrong type, which are tolerated",
    files: {
      [action]: { name: 7, workflow: true, order: "1", next_action: "build", auto_progress: "yes" },
    },
    finds: [`wrong-type-ignored ${action}:2`, `wrong-type-ignored ${action}:4`, `wrong-type-ignored ${action}:6`],
  },
  {
    title: "descriptions and trigger words of the wrong type, in the bot and in a behavior",
    files: {
      [bot]: { name: "story_bot", description: 7, trigger_words: [7], behaviors: ["shape", "discovery"] },
      "bots/story_bot/behaviors/shape/behavior.json": { description: ["a"], trigger_words: ["shape", 7] },
    },
    finds: [
      "wrong-type-ignored bots/story_bot/behaviors/shape/behavior.json:2",
      "wrong-type-ignored bots/story_bot/behaviors/shape/behavior.json:5",
      `wrong-type-ignored ${bot}:3`,
      `wrong-type-ignored ${bot}:4`,
    ],
  },
  {
    title: "misspelt keys in all four configs",
    files: {
      "config.json": { behaviours: "ordered" },
      [action]: { name: "gather", workflow: true, order: 1, next_action: "build", auto_progres: true },
      [bot]: { name: "story_bot", triggers: ["story"], behaviors: ["shape", { name: "discovery", foldr: "x" }] },
      "bots/story_bot/behaviors/shape/behavior.json": { descripton: "Outlines." },
    },
    finds: [
      `unknown-key ${action}:6`,
      "unknown-key bots/story_bot/behaviors/shape/behavior.json:2",
      `unknown-key ${bot}:3`,
      `unknown-key ${bot}:10`,
      "unknown-key config.json:2",
    ],
  },
  {
    title: "two unknown keys on one line",
    files: { "config.json": '{ "colour": "red", "shape": "round" }\n' },
    finds: ["unknown-key config.json:1", "unknown-key config.json:1"],
  },
  {
    title: "a key that stands twice",
    files: { [action]: '{\n  "name": "gather",\n  "order": 7,\n  "next_action": "build",\n  "order": 1\n}\n' },
    finds: [`duplicate-key ${action}:5`],
  },
  {
    title: "file names that are almost right",
    files: {
      "bots/story_bot/behaviors/shape/key_question.json": { questions: ["Why?"] },
      "bots/story_bot/behaviors/shape/planning_criteria.yaml": "criteria: []\n",
      "base_actions/build/instruction.md": "Build it well.\n",
      "confg.json": {},
    },
    finds: [
      "misspelt-file base_actions/build/instruction.md:1",
      "misspelt-file bots/story_bot/behaviors/shape/key_question.json:1",
      "misspelt-file bots/story_bot/behaviors/shape/planning_criteria.yaml:1",
      "misspelt-file confg.json:1",
    ],
  },
  {
    title: "blank lines at the end of a config, of instructions and of a gate",
    files: {
      "config.json": '{ "behaviors": "ordered" }\n\n\n',
      "base_actions/build/instructions.md": "Build it.\n\n",
      "base_actions/judge/gate-definition.yaml": "approval: required\n\n",
    },
    finds: [
      "trailing-blank-lines base_actions/build/instructions.md:2",
      "trailing-blank-lines base_actions/judge/gate-definition.yaml:2",
      "trailing-blank-lines config.json:2",
    ],
  },
  {
    title: "numbers in front of folders",
    files: {
      "base_actions/build/action_config.json": null,
      "base_actions/build/instructions.md": null,
      "base_actions/2_build/action_config.json": { name: "build", workflow: true, order: 2, next_action: "judge" },
      "base_actions/2_build/instructions.md": "Build it.\n",
      "bots/story_bot/behaviors/shape/rules/verbs.json": null,
      "bots/story_bot/behaviors/shape/3_rules/verbs.md": "Begin with a verb.\n\n- Do: Reserve\n- Don't: Reservation\n",
    },
    finds: ["numbered-folder base_actions/2_build:1", "numbered-folder bots/story_bot/behaviors/shape/3_rules:1"],
  },
];
