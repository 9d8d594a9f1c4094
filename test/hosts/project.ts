import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What the first action asks of an agent: a sentence that nothing but its instructions contains. */
export const FIRST_INSTRUCTION = "Ask the user who will read the stories and write the answer down.";

/** A phrase of the user's that should bring an agent to the bot. */
export const TRIGGER = "user stories";

const ACTIONS = ["gather_context", "decide_planning_criteria", "build_knowledge", "render_output", "validate_rules"];

/** Writes the definitions of a small story bot into a folder: two behaviors, five actions, one that may run any time. */
export async function makeProject(root: string): Promise<void> {
  for (const [index, name] of ACTIONS.entries()) {
    const config = { name, workflow: true, order: index + 1, next_action: ACTIONS[index + 1] ?? null };
    const auto = name === "build_knowledge" ? { auto_progress: true } : {};
    await writeAction(root, { ...config, ...auto }, index === 0 ? FIRST_INSTRUCTION : `Do the work of ${name}.`);
  }
  const independent = { name: "correct_bot", workflow: false, order: null, next_action: null };
  await writeAction(root, independent, "Write down what the bot should do otherwise.");
  const bot = { name: "story_bot", behaviors: ["shape", "discovery"], trigger_words: [TRIGGER] };
  await writeJson(join(root, ".waymark/bots/story_bot"), "bot_config.json", bot);
}

/** Puts a state file there as a person with an editor would: well-formed, and two actions further on. */
export async function editState(root: string): Promise<void> {
  const timestamp = "2025-12-03T10:30:00.000Z";
  const done = ["gather_context", "decide_planning_criteria", "build_knowledge"];
  await writeJson(root, "workflow_state.json", {
    current_behavior: "story_bot.shape",
    current_action: "story_bot.shape.build_knowledge",
    action_state: "completed",
    timestamp,
    completed_actions: done.map((name) => ({ action_state: `story_bot.shape.${name}`, timestamp, duration: 60 })),
  });
}

async function writeAction(root: string, config: { readonly name: string }, instructions: string): Promise<void> {
  const folder = join(root, ".waymark/base_actions", config.name);
  await writeJson(folder, "action_config.json", config);
  await writeFile(join(folder, "instructions.md"), `${instructions}\n`);
}

async function writeJson(folder: string, name: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
