import type { Files } from "../check/sound-bot.ts";

/** Folders without numbers, whose names differ from those in the configs; the marks are those of the numbered tree, and [I…] for what may be asked for any time. */
const bot = "bots/tale_bot";
const outline = `${bot}/behaviors/outline`;

export const plain: Files = {
  [`${bot}/bot_config.json`]: {
    name: "tale_bot",
    description: "Turns an idea into tales [T1].",
    goal: "Everybody knows what comes next [A1]",
    instructions: ["Speak plainly [A2].", "Ask when in doubt [A3]."],
    "command description": "tells tales [N1]",
    baseActionsPath: "base_actions",
    verbose_mode: true,
  },
  "base_actions/trigger_words.json": { index: ["clarify [N2]"] },
  "base_actions/clarify/action_config.json": {
    name: "gather_context",
    description: "Finds out what is known [G1]",
    workflow: true,
    order: 1,
    next_action: "decide_strategy",
    action_class: "tales.Clarify",
    instructions: ["Collect for {behavior} of {bot} [G2]:", "{{key_questions}}"],
  },
  "base_actions/strategy/action_config.json": {
    name: "decide_strategy",
    workflow: true,
    order: 2,
    instructions: ["Decide how [D1].", "@hints.txt"],
  },
  "base_actions/strategy/hints.txt": "Look twice [D2].\n",
  "base_actions/build/action_config.json": {
    name: "build_knowledge",
    workflow: true,
    order: 3,
    auto_confirm: true,
    next_action: "validate_output",
    instructions: ["Build in {workspace} [B1]."],
  },
  "base_actions/validate/action_config.json": {
    name: "validate_rules",
    workflow: true,
    order: 4,
    instructions: ["Check [V1]."],
  },
  "base_actions/render/action_config.json": {
    name: "render_output",
    workflow: true,
    order: 5,
    instructions: ["Render [R1]."],
  },
  "base_actions/help/action_config.json": {
    name: "help",
    workflow: false,
    instructions: ["Say what you can do [I1]."],
  },
  "base_actions/rules/action_config.json": { name: "rules", workflow: false, instructions: ["Show the rules."] },

  [`${outline}/behavior.json`]: {
    behaviorName: "outline",
    order: 1,
    description: "The outline of it all [T2].",
    goal: "A map that all agree on [A4]",
    inputs: ["An idea [A5]"],
    outputs: ["A map [A6]"],
    baseActionsPath: "base_actions",
    instructions: ["Stay broad [A7]."],
    actions_workflow: {
      actions: [
        { name: "clarify", order: 1, next_action: "strategy", instructions: ["Ask all [G3]."] },
        { name: "strategy", order: 2, next_action: "build", instructions: ["Take your time [D3]."] },
        { name: "build", order: 3, instructions: ["Build the map [B2]."] },
        { name: "validate", order: 4, instructions: ["Twice [V2]."] },
        { name: "render", order: 5, instructions: ["The map first [R2]."] },
        { name: "rules", instructions: ["Only those of the outline [I2]."] },
      ],
    },
    trigger_words: { description: "new ideas", patterns: ["^outline( it)?$", "(first|rough) (draft|cut)"] },
  },
  [`${outline}/guardrails/instructions.json`]: { instructions: ["Never guess [G4]."] },
  [`${outline}/guardrails/required_context/key_questions.json`]: [
    "Who reads it [G5]?",
    { question: "Why [G6]?", hint: "ask twice [G7]" },
  ],
  [`${outline}/guardrails/required_context/evidence.json`]: ["Notes of talks [G8]"],
  [`${outline}/guardrails/strategy/typical_assumptions.json`]: { assumptions: ["Readers are busy [D4]"] },
  [`${outline}/guardrails/strategy/decision_criteria/depth.json`]: {
    description: "How deep to go [D5]",
    question: "Deep or broad [D6]?",
    options: ["deep [D7]", "broad [D8]"],
    note: "It can be changed later [D9]",
  },
  [`${outline}/content/story_graph/build_story_graph.json`]: {
    name: "graph [B3]",
    path: "docs/stories",
    template: "story_graph_outline.json",
    output: "story-graph.json [B4]",
  },
  [`${outline}/content/story_graph/instructions.json`]: { instructions: ["Fill every field [B5]."] },
  [`${outline}/content/story_graph/story_graph_outline.json`]: { epics: [{ name: "of the epic [B6]" }] },
  [`${outline}/content/render/instructions.json`]: { instructions: ["With these [R3]:", "{{render_configs}}"] },
  [`${outline}/content/render/render_map.json`]: {
    name: "map [R4]",
    type: "template",
    path: "docs",
    input: "story-graph.json",
    template: "map.md",
    output: "map.md [R5]",
    instructions: ["Keep the headings [R6]", "and the order [R7]"],
  },
  [`${outline}/content/render/render_board.json`]: {
    name: "board [R8]",
    type: "synchronizer",
    path: "docs",
    input: "story-graph.json",
    synchronizer: "tales.board.Board [R9]",
    output: "board.drawio",
    instructions: "Run it, then look [R10]",
  },
  [`${outline}/content/render/templates/map.md`]: "# {title} [R11]\n",
  [`${outline}/content/synchronize/synchronize_board.json`]: {
    name: "from the board [R12]",
    description: "What people moved there [R13]",
    templates: ["map.md"],
    instructions: ["The board wins [R14]."],
  },
  [`${outline}/rules/verbs.json`]: {
    priority: 1,
    description: "Begin with a verb [V3]",
    do: { description: "Say what is done [V4]", guidance: [{ description: "Short [V5]", example: ["Reserve [V6]"] }] },
    dont: { description: "No nouns [V7]", guidance: [{ description: "Long [V8]", example: ["The reservation [V9]"] }] },
  },
  [`${outline}/rules/pairs.json`]: {
    description: "One word [V10]",
    examples: [{ do: "tale [V11]", dont: "story [V12]", why: "one is enough [V13]" }],
  },
  [`${outline}/rules/words/list.json`]: { rules: [{ rule: "No jargon [V14]" }, "Short sentences [V15]"] },
  [`${bot}/behaviors/detail/behavior.json`]: {
    behaviorName: "detail",
    order: 2,
    actions_workflow: {
      actions: [
        { name: "clarify", order: 1 },
        { name: "validate", order: 2 },
      ],
    },
  },
};
