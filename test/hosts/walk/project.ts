import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What the first action asks of an agent: a sentence that nothing but its instructions contains. */
export const FIRST_INSTRUCTION = "Ask the user who will read the stories and write the answer down.";

/** What the project's AGENTS.md says, to see whose model reads it. */
export const HOUSE_RULE = "Every story is told over a cup of tea.";

/** A project under git with a bot of two actions, the first of which may change `src/` only. */
export async function makeWalkedProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "waymark-walk-"));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...who, "commit", "-qm", "all"],
  ])
    execFileSync("git", args, { cwd: root, stdio: "ignore" });
  return root;
}

const action = (name: string, order: number, next: string | null): string =>
  JSON.stringify({ name, workflow: true, order, next_action: next });

const files: Readonly<Record<string, string>> = {
  ".waymark/bots/story_bot/bot_config.json": JSON.stringify({
    name: "story_bot",
    behaviors: ["shape"],
    trigger_words: ["user stories"],
  }),
  ".waymark/base_actions/gather_context/action_config.json": action("gather_context", 1, "render_output"),
  ".waymark/base_actions/gather_context/instructions.md": `${FIRST_INSTRUCTION}\n`,
  ".waymark/base_actions/gather_context/gate-definition.yaml": 'edits: ["src/**"]\n',
  ".waymark/base_actions/render_output/action_config.json": action("render_output", 2, null),
  ".waymark/base_actions/render_output/instructions.md": "Write the stories.\n",
  "src/a.js": "1\n",
  "AGENTS.md": `${HOUSE_RULE}\n`,
  // What it writes no hook can see in a command that runs it.
  "make.js": 'require("node:fs").writeFileSync("made.txt", "x");\n',
};
