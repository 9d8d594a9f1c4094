import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openaiChat } from "../openai-chat.ts";
import type { WalkedHost } from "./walk.ts";

/** OpenCode: first by its command `run`, which ends with the turn, then in its own window. */
export const opencode: WalkedHost = {
  title: "OpenCode",
  client: "opencode",
  dialect: openaiChat,
  entry: "opencode-ai/bin/opencode.exe",
  isMore: true,
  isProgram: true,
  launch: async ({ prompt, resume, seated }, home, url) => {
    await mkdir(join(home, ".config/opencode"), { recursive: true });
    await writeFile(join(home, ".config/opencode/opencode.json"), JSON.stringify(config(url)));
    return {
      args: [
        ...(seated ? [] : ["run"]),
        ...["--auto", "--model", "scripted/scripted"],
        ...(resume ? ["--continue"] : []),
        ...(seated ? [] : [prompt]),
      ],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        // It fetches a package for every folder with plugins, and does without where it cannot.
        npm_config_registry: url,
        npm_config_fetch_retries: "0",
      },
    };
  },
  write: (filePath, content) => ({ own: "write", with: { filePath, content } }),
  shell: (command) => ({ own: "bash", with: { command, description: "work" } }),
  async sit(terminal, prompt) {
    await terminal.sees("Build");
    await terminal.type(prompt);
    await terminal.pressUntil("enter", "I wait for the person.");
    await pause(enoughForAnother);
    await terminal.type("Is that all?");
    await terminal.pressUntil("enter", "Nothing more.");
  },
};

/** A second reminder would have come by now, in milliseconds. */
const enoughForAnother = 3_000;

function config(url: string): object {
  return {
    autoupdate: false,
    share: "disabled",
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options: { baseURL: `${url}/v1`, apiKey: "none-needed" },
        models: { scripted: { name: "scripted", tool_call: true, limit: { context: 160_000, output: 8_000 } } },
      },
    },
  };
}
