import type { Case } from "../broken-bot.ts";

const shape = "bots/story_bot/behaviors/shape";

/** Texts for the assistant that say too little, too much, or what was meant to be replaced. */
export const instructionCases: readonly Case[] = [
  {
    title: "an action without instructions",
    files: { "base_actions/build/instructions.md": null },
    finds: ["missing-instructions base_actions/build/action_config.json:1"],
  },
  {
    title: "instructions that every behavior gives for itself are enough",
    files: {
      "base_actions/judge/instructions.md": null,
      [`${shape}/judge/instructions.md`]: "Judge the shape.\n",
      "bots/story_bot/behaviors/discovery/judge/instructions.json": ["Judge the details.", "All of them."],
    },
    finds: [],
  },
  {
    title: "a placeholder that nobody knows",
    files: {
      "base_actions/build/instructions.md": "Build it.\n\nFor {{product_name}}, with { braces } and {{behavior}}.\n",
    },
    finds: ["unknown-placeholder base_actions/build/instructions.md:3"],
  },
  {
    title: "an unknown placeholder behind a closed sequence",
    files: {
      "base_actions/gather/action_config.json": { name: "gather", workflow: true, order: 1, next_action: "nowhere" },
      "bots/story_bot/behaviors/discovery/behavior.json": null,
      "base_actions/build/instructions.md": "{{what}}\n",
    },
    finds: [
      "unknown-placeholder base_actions/build/instructions.md:1",
      "dangling-next-action base_actions/gather/action_config.json:5",
    ],
  },
  {
    title: "placeholders with nothing to stand for",
    files: {
      "base_actions/build/instructions.md": "Build it for {{goal}}.\n\n{{previous_outputs}}\n",
      [`${shape}/key_questions.json`]: null,
    },
    finds: [
      "empty-placeholder base_actions/build/instructions.md:1",
      "empty-placeholder base_actions/gather/instructions.md:3",
    ],
  },
  {
    title: "what was meant to be replaced, in instructions, questions and descriptions",
    files: {
      "base_actions/build/instructions.md": "Build it.\n- TODO say how\nEnd with: TBD\nFor <your product here>.\n",
      [`${shape}/key_questions.json`]: { questions: ["Who uses it?", "[fill in]"] },
      [`${shape}/behavior.json`]: { description: "FIXME" },
    },
    finds: [
      "left-over base_actions/build/instructions.md:2",
      "left-over base_actions/build/instructions.md:3",
      "left-over base_actions/build/instructions.md:4",
      `left-over ${shape}/behavior.json:2`,
      `left-over ${shape}/key_questions.json:4`,
    ],
  },
  {
    title: "a text may speak of a TODO, a rule may forbid it, and a template is there to be filled in",
    files: {
      "base_actions/build/instructions.md": 'Leave no TODO and no TBD in it; `TODO: x` and "TBD" count too.\n',
      [`${shape}/templates/map.md`]: "# <fill in>\n\nTODO: the users\n\n{{not_ours}}\n",
      [`${shape}/knowledge_schema.json`]: { description: "TODO" },
      [`${shape}/rules/done.json`]: {
        description: "Nothing is left open.",
        examples: [{ do: "Three users", dont: "TODO: users" }],
        checks: [{ type: "forbidden_words", words: ["TODO", "TBD"] }],
      },
      [`${shape}/rules/whole.md`]: "# Whole\n\n## Do\n\n- Say it\n\n## Don't\n\n- TBD\n",
    },
    finds: [`unread-file ${shape}/templates/map.md:1`],
  },
  {
    title: "a name in single braces that may be code",
    files: { "base_actions/build/instructions.md": "Build it as {speed} says, with {bot}.\n" },
    finds: ["perhaps-placeholder base_actions/build/instructions.md:1"],
  },
  {
    title: "a file that should be put in and is not there; one that is",
    files: {
      "base_actions/build/instructions.md": "Build it.\n@steps.txt\n@gone.txt\n",
      "base_actions/build/steps.txt": "First this.\n",
    },
    finds: ["unknown-placeholder base_actions/build/instructions.md:3"],
  },
  {
    title: "a config that names a template which is not there, and files that nothing reads",
    files: {
      [`${shape}/content/knowledge_graph/build_map.json`]: { name: "map", template: "map.json", output: "map.json" },
      [`${shape}/content/diagram.svg`]: "<svg/>\n",
      "bots/story_bot/src/a.py": "x = 1\n",
      "bots/story_bot/src/b.py": "y = 2\n",
      "bots/story_bot/README.md": "For people.\n",
    },
    finds: [
      `unread-file ${shape}/content/diagram.svg:1`,
      `missing-template ${shape}/content/knowledge_graph/build_map.json:3`,
      "unread-file bots/story_bot/src/a.py:1",
      "unread-file bots/story_bot/src/b.py:1",
    ],
  },
  {
    title: "instructions over their budget",
    files: { "base_actions/build/instructions.md": `${"Build it with care. ".repeat(130)}\n` },
    finds: ["long-instructions base_actions/build/instructions.md:1"],
  },
  {
    title: "an action that shows too much in all",
    files: {
      "base_actions/gather/instructions.md": `${"Why is that so? ".repeat(145)}\n`,
      "base_actions/gather/instructions.json": { instructions: ["Who says that? ".repeat(150)] },
      [`${shape}/instructions.md`]: `${"What is it for? ".repeat(145)}\n`,
      [`${shape}/instructions.json`]: { instructions: ["Who uses it, then? ".repeat(120)] },
    },
    finds: ["long-action base_actions/gather/instructions.md:1"],
  },
];
