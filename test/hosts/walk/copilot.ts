import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openaiChat } from "../openai-chat.ts";
import type { WalkedHost } from "./walk.ts";

/** Copilot CLI with a model of one's own, in a folder that a person trusts. */
export const copilot: WalkedHost = {
  title: "Copilot CLI",
  client: "copilot",
  dialect: openaiChat,
  entry: "@github/copilot/npm-loader.js",
  isMore: true,
  launch: async ({ prompt, resume, root }, home, url) => {
    await mkdir(join(home, ".copilot"), { recursive: true });
    await writeFile(join(home, ".copilot/config.json"), JSON.stringify({ trusted_folders: [root] }));
    return {
      args: [
        "--prompt",
        prompt,
        "--allow-all-tools",
        "--no-color",
        resume ? `--resume=${session}` : `--session-id=${session}`,
      ],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "200000",
        COPILOT_MODEL: "scripted",
      },
    };
  },
  saved: async (home) => {
    const events = join(home, ".copilot/session-state", session, "events.jsonl");
    const done = /"tool.execution_start".*node make[.]js[\s\S]*"assistant.turn_end"/;
    while (!done.test(await readFile(events, "utf8").catch(() => ""))) await pause(50);
  },
  write: (path, file_text) => ({ own: "create", with: { path, file_text } }),
  shell: (command) => ({ own: "bash", with: { command, description: "work" } }),
};

const session = "6f1c1d57-6f0c-4b6a-9d3c-0f5b6b1c2a3d";
