import type { Files } from "../check/sound-bot.ts";

/**
 * Folders with numbers, the config in `config/`, actions without a config of their own.
 * Every text bears a mark that says where an assistant must meet it: [G…] gather, [D…] decide, [B…] build, [R…] render,
 * [V…] validate, [C…] build and render, [A…] every action, [T…] the tool's description, [N…] nowhere, and a finding.
 */
const bot = "bots/tale_bot";
const shape = `${bot}/behaviors/1_shape`;
const base = "bots/base_bot/base_actions";

export const numbered: Files = {
  [`${bot}/config/bot_config.json`]: {
    name: "tale_bot",
    description: "Turns an idea into tales [T1].",
    goal: "Everybody knows what comes next [A1]",
    behaviors: ["1_shape", "4_discovery"],
  },
  [`${bot}/config/instructions.json`]: { instructions: ["Speak plainly [A2].", "Ask when in doubt [A3]."] },
  [`${bot}/config/trigger_words.json`]: { patterns: ["\\btale map\\b"] },
  [`${bot}/config/mcp.json`]: { command: "serve the tales [N1]" },
  [`${bot}/rules/plain.json`]: {
    description: "Plain words [V1]",
    examples: [{ do: "use [V2]", dont: "utilise [V3]" }],
  },
  [`${bot}/docs/history.md`]: "How it came about [N2].\n",
  [`${bot}/src/run.py`]: "print('[N3]')\n",
  [`${base}/1_gather_context/instructions.json`]: { instructions: ["Collect what is known [G1] of {{behavior}}."] },
  [`${base}/2_decide_planning_criteria/instructions.json`]: { instructions: "Decide how [D1]." },
  [`${base}/3_build_knowledge/action_config.json`]: {
    name: "build_knowledge",
    workflow: true,
    order: 3,
    next_action: "validate_output",
    auto_confirm: true,
  },
  [`${base}/3_build_knowledge/instructions.json`]: ["Build it in {project_area} [B1]."],
  [`${base}/4_render_output/instructions.json`]: { instructions: ["Render [R1]:", "{{render_configs}}"] },
  [`${base}/4_validate_rules/instructions.json`]: { instructions: ["Hold it against the rules [V4]."] },
  [`${base}/correct_bot/action_config.json`]: { name: "correct_bot", workflow: false },
  [`${base}/correct_bot/instructions.json`]: { instructions: ["Keep what was learnt."] },

  [`${shape}/behavior.json`]: {
    behaviorName: "shape",
    order: 1,
    description: "The outline of it all [T3].",
    goal: "A map that all agree on [A4]",
    inputs: "An idea [A5]",
    outputs: ["A map [A6]", "A list of risks [A7]"],
    instructions: ["Stay broad [A8]."],
    trigger_words: { description: "When an idea is new [N4]", patterns: ["outline (it|this)", "(rough cut"] },
    actions_workflow: {
      actions: [
        { name: "render_output", order: 5, instructions: ["Render the map first [R2]."] },
        { name: "gather_context", order: 1, next_action: "decide_planning_criteria", instructions: ["Ask all [G2]."] },
        { name: "decide_planning_criteria", order: 2, instructions: ["Take your time [D2]."] },
        { name: "build_knowledge", order: 3, instructions: "Build the map [B2]." },
        { name: "validate_rules", order: 4, next_action: "render_output", instructions: ["Twice [V5]."] },
      ],
    },
  },
  [`${shape}/1_guardrails/instructions.json`]: { instructions: ["Never guess [G3]."] },
  [`${shape}/1_guardrails/1_required_context/instructions.json`]: { instructions: ["Ask these first [G4]."] },
  [`${shape}/1_guardrails/1_required_context/key_questions.json`]: { questions: ["Who reads it [G5]?", "Why [G6]?"] },
  [`${shape}/1_guardrails/1_required_context/evidence.json`]: { evidence: ["Notes of talks [G7]"] },
  [`${shape}/1_guardrails/2_planning/instructions.json`]: { instructions: ["Choose with the team [D3]."] },
  [`${shape}/1_guardrails/2_planning/typical_assumptions.json`]: { typical_assumptions: ["Readers are busy [D4]"] },
  [`${shape}/1_guardrails/2_planning/recommended_human_activity.json`]: {
    recommended_human_activity: [{ activity: "Walk through it together [D5]", why: "you hear what is missing [D6]" }],
  },
  [`${shape}/1_guardrails/2_planning/decision_criteria/depth.json`]: {
    description: "How deep to go [D7]",
    question: "Deep or broad [D8]?",
    options: ["deep [D9]", { name: "broad [D10]", description: "all at once [D11]" }],
    note: "It can be changed later [D12]",
  },
  [`${shape}/2_content/instructions.json`]: { instructions: ["One map for all [C1]."] },
  [`${shape}/2_content/1_knowledge_graph/instructions.json`]: { instructions: ["Fill every field [B3]."] },
  [`${shape}/2_content/1_knowledge_graph/build_tale_graph.json`]: {
    name: "tale graph [B4]",
    path: "content",
    template: "tale-graph.json",
    output: "docs/tale-graph.json [B5]",
  },
  [`${shape}/2_content/1_knowledge_graph/tale-graph.json`]: { tales: [{ name: "of the tale [B6]" }] },
  [`${shape}/2_content/2_render/instructions.json`]: { instructions: ["In this order [R3]."] },
  [`${shape}/2_content/2_render/render_map.json`]: {
    name: "map [R4]",
    type: "template",
    input: "docs/tale-graph.json [R5]",
    template: "templates/map.md",
    output: "docs/map.md [R6]",
    instructions: "Keep the headings [R7]",
  },
  [`${shape}/2_content/2_render/templates/map.md`]: "# {title} [R8]\n\n{{rows}}\n",
  [`${shape}/2_content/2_render/templates/map.mmd`]: "graph LR [R9]\n",
  [`${shape}/2_content/2_render/templates/map.drawio`]: "<mxfile>[R10]</mxfile>\n",
  [`${shape}/2_content/3_synchronize/instructions.json`]: { instructions: ["Then bring both together [R11]."] },
  [`${shape}/2_content/3_synchronize/synchronize_map.json`]: {
    name: "map to board [R12]",
    description: "The board follows the map [R13]",
    templates: ["2_content/2_render/templates/map.drawio"],
    instructions: ["The map wins [R14]."],
  },
  [`${shape}/3_rules/verbs.json`]: {
    priority: 2,
    description: "Begin with a verb [V6]",
    do: {
      description: "Say what is done [V7]",
      guidance: [{ description: "Short [V8]", example: ["Reserve [V9]", "Pay [V10]"] }],
    },
    dont: {
      description: "No nouns [V11]",
      guidance: [{ description: "Long [V12]", example: ["The reservation [V13]"] }],
    },
    rationale: "Verbs move [V14]",
  },
  [`${shape}/3_rules/more.md`]:
    "# One noun for one thing [V15]\n\nAlways the same [V16].\n\nA second thought [V17].\n\n## Do\n\n- tale [V18]\n\n## Don't\n\n- story and tale [V19]\n",
  [`${bot}/behaviors/4_discovery/behavior.json`]: {
    order: 4,
    actions_workflow: {
      actions: [
        { name: "gather_context", order: 1 },
        { name: "validate_rules", order: 2 },
      ],
    },
  },
};
