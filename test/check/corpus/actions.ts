import type { Case } from "../broken-bot.ts";

const config = (name: string): string => `base_actions/${name}/action_config.json`;

/** Actions whose place, name or sequence is not what their author thinks. */
export const actionCases: readonly Case[] = [
  {
    title: "an action with instructions and no config",
    files: { [config("build")]: null },
    finds: [`missing-action-config ${config("build")}:1`],
  },
  {
    title: "two actions with one name",
    files: {
      "base_actions/1_gather/action_config.json": { name: "gather", workflow: true, order: 1, next_action: "build" },
      "base_actions/1_gather/instructions.md": "Ask.\n",
    },
    finds: ["numbered-folder base_actions/1_gather:1", "duplicate-action base_actions/gather:1"],
  },
  {
    title: "an action that goes on where it is proved, and has no check",
    files: {
      [config("gather")]: {
        name: "gather",
        workflow: true,
        order: 1,
        next_action: "build",
        auto_progress: "if_proved",
      },
    },
    finds: [`nothing-to-prove ${config("gather")}:6`, `nothing-to-prove ${config("gather")}:6`],
  },
  {
    title: "rules that must hold prove an action only where a machine checks one of them",
    files: {
      [config("judge")]: { name: "judge", workflow: true, order: 3, next_action: null, auto_progress: "if_proved" },
    },
    finds: [`nothing-to-prove ${config("judge")}:6`],
  },
  {
    title: "a folder among the actions with nothing of an action in it",
    files: { "base_actions/drafts/notes.txt": "later" },
    finds: ["stray-folder base_actions/drafts:1"],
  },
  {
    title: "an action named otherwise than its folder",
    files: {
      [config("build")]: null,
      "base_actions/build/instructions.md": null,
      [config("construct")]: { name: "build", workflow: true, order: 2, next_action: "judge" },
      "base_actions/construct/instructions.md": "Build it.\n",
    },
    finds: [`name-differs-from-folder ${config("construct")}:2`],
  },
  {
    title: "no action in the sequence",
    files: {
      "base_actions/judge/gate-definition.yaml": null,
      "bots/story_bot/behaviors/discovery/behavior.json": null,
      ...Object.fromEntries(
        ["gather", "build", "judge"].map((name) => [
          config(name),
          { name, workflow: false, order: null, next_action: null },
        ]),
      ),
    },
    finds: ["no-actions base_actions:1"],
  },
  {
    title: "an action without an order",
    files: { [config("judge")]: { name: "judge", workflow: true, next_action: null } },
    finds: [`missing-order ${config("judge")}:1`],
  },
  {
    title: "two actions with the same order",
    files: { [config("judge")]: { name: "judge", workflow: true, order: 2, next_action: null } },
    finds: [`duplicate-order ${config("judge")}:4`],
  },
  {
    title: "a gap in the orders",
    files: { [config("judge")]: { name: "judge", workflow: true, order: 7, next_action: null } },
    finds: [`order-gap ${config("judge")}:4`],
  },
  {
    title: "orders that leave room on purpose are no gap",
    files: {
      [config("gather")]: { name: "gather", workflow: true, order: 10, next_action: "build" },
      [config("build")]: { name: "build", workflow: true, order: 20, next_action: "judge" },
      [config("judge")]: { name: "judge", workflow: true, order: 30, next_action: null },
    },
    finds: [],
  },
  {
    title: "next_action left out",
    files: {
      [config("gather")]: { name: "gather", workflow: true, order: 1 },
      [config("judge")]: '{ "name": "judge", "order": 3 }\n',
    },
    finds: [`missing-next-action ${config("gather")}:1`, `missing-next-action ${config("judge")}:1`],
  },
  {
    title: "a next_action that does not exist",
    files: { [config("gather")]: { name: "gather", workflow: true, order: 1, next_action: "biuld" } },
    finds: [`dangling-next-action ${config("gather")}:5`],
  },
  {
    title: "two dangling next_actions, of which nobody comes to the second",
    files: {
      [config("gather")]: { name: "gather", workflow: true, order: 1, next_action: "nowhere" },
      [config("build")]: { name: "build", workflow: true, order: 2, next_action: "elsewhere" },
    },
    finds: [`dangling-next-action ${config("build")}:5`, `dangling-next-action ${config("gather")}:5`],
  },
  {
    title: "a next_action that goes round in a circle",
    files: { [config("judge")]: { name: "judge", workflow: true, order: 3, next_action: "gather" } },
    finds: [`cyclic-next-action ${config("judge")}:5`],
  },
  {
    title: "a next_action that is independent",
    files: { [config("judge")]: { name: "judge", workflow: true, order: 3, next_action: "correct" } },
    finds: [`next-action-is-independent ${config("judge")}:5`],
  },
  {
    title: "an independent action with an order and a next_action",
    files: { [config("correct")]: { name: "correct", workflow: false, order: 9, next_action: "gather" } },
    finds: [`independent-with-order ${config("correct")}:4`, `independent-with-next-action ${config("correct")}:5`],
  },
  {
    title: "an independent action that is closed by its order",
    files: { [config("correct")]: { name: "correct", workflow: false, order: {}, next_action: null } },
    finds: [`wrong-type ${config("correct")}:4`, `independent-with-order ${config("correct")}:4`],
  },
  {
    title: "an action that every next_action passes by",
    files: {
      [config("gather")]: { name: "gather", workflow: true, order: 1, next_action: "judge" },
      "bots/story_bot/behaviors/discovery/behavior.json": null,
    },
    finds: [`unreachable-action ${config("build")}:1`],
  },
  {
    title: "an action that one behavior lists is reached, though every next_action passes it by",
    files: { [config("gather")]: { name: "gather", workflow: true, order: 1, next_action: "judge" } },
    finds: [],
  },
  {
    title: "actions in bots/base_bot, and a bot's own in place of a shared one, are as good as any",
    files: {
      [config("build")]: null,
      "base_actions/build/instructions.md": null,
      "bots/base_bot/base_actions/build/action_config.json": {
        name: "build",
        workflow: true,
        order: 2,
        next_action: "judge",
      },
      "bots/base_bot/base_actions/build/instructions.md": "Build it.\n",
      "bots/story_bot/base_actions/gather/action_config.json": {
        name: "gather",
        workflow: true,
        order: 1,
        next_action: "build",
      },
      "bots/story_bot/base_actions/gather/instructions.md": "Ask.\n",
    },
    finds: ["unread-file base_actions/gather/instructions.md:1"],
  },
  {
    title: "a gate that an action nearer by hides is named: nobody is asked for it",
    files: {
      "bots/base_bot/base_actions/judge/action_config.json": {
        name: "judge",
        workflow: true,
        order: 3,
        next_action: null,
      },
      "bots/base_bot/base_actions/judge/instructions.md": "Hold it against the rules.\n",
    },
    finds: [
      "unread-file base_actions/judge/gate-definition.yaml:1",
      "unread-file base_actions/judge/instructions.md:1",
    ],
  },
  {
    title: "a behavior that changes an action for itself is in order",
    files: {
      "bots/story_bot/behaviors/shape/build/action_config.json": { auto_progress: false },
      "bots/story_bot/behaviors/shape/build/gate-definition.yaml": "approval: required\n",
    },
    finds: [],
  },
];
