/** The text of a file, an object for JSON laid out as people do it, or null for no file. */
export type Files = Readonly<Record<string, string | object | null>>;

/** A small bot in which nothing is wrong: every case of the corpus is this one with a few files changed. */
export const soundBot: Files = {
  "config.json": { behaviors: "ordered" },
  "base_actions/gather/action_config.json": { name: "gather", workflow: true, order: 1, next_action: "build" },
  "base_actions/gather/instructions.md": "Answer the questions of {{behavior}}.\n\n{{key_questions}}\n",
  "base_actions/build/action_config.json": {
    name: "build",
    workflow: true,
    order: 2,
    next_action: "judge",
    auto_progress: true,
  },
  "base_actions/build/instructions.md": "Build it.\n",
  "base_actions/judge/action_config.json": { name: "judge", workflow: true, order: 3, next_action: null },
  "base_actions/judge/instructions.md": "Hold it against the rules.\n",
  "base_actions/judge/gate-definition.yaml":
    "evidence_schema:\n  readers: { type: integer, required: true, description: how many read it }\nchecks: [rules]\n",
  "base_actions/correct/action_config.json": { name: "correct", workflow: false, order: null, next_action: null },
  "base_actions/correct/instructions.md": "Write down what was wrong.\n",
  "bots/story_bot/bot_config.json": {
    $schema: "../../bot_config.schema.json",
    name: "story_bot",
    description: "Turns an idea into stories.",
    trigger_words: ["story map", "write stories"],
    behaviors: ["shape", "discovery"],
  },
  "bots/story_bot/behaviors/shape/instructions.md": "Stay broad.\n",
  "bots/story_bot/behaviors/shape/key_questions.json": { questions: ["Who uses it?"] },
  "bots/story_bot/behaviors/shape/rules/verbs.json": {
    name: "verbs",
    description: "A story begins with a verb.",
    examples: [{ do: "Reserve a table", dont: "Table reservation" }],
    checks: [{ type: "must_not_match", pattern: "^- The ", flags: "m", glob: "docs/*.md" }],
  },
  "bots/story_bot/behaviors/discovery/instructions.md": "Go into detail.\n",
  "bots/story_bot/behaviors/discovery/key_questions.json": { questions: ["What can go wrong?"] },
  "bots/story_bot/behaviors/discovery/behavior.json": {
    description: "Finds the details.",
    actions: ["gather", { name: "build", skip: "built in shape" }, "judge"],
  },
};
