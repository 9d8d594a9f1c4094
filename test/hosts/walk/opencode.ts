import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openaiChat } from "../openai-chat.ts";
import type { WalkedHost } from "./walk.ts";

/** OpenCode by its command `run`. */
export const opencode: WalkedHost = {
  title: "OpenCode",
  client: "opencode",
  dialect: openaiChat,
  entry: "opencode-ai/bin/opencode.exe",
  isMore: true,
  isProgram: true,
  launch: async ({ prompt, resume }, home, url) => {
    await mkdir(join(home, ".config/opencode"), { recursive: true });
    await writeFile(join(home, ".config/opencode/opencode.json"), JSON.stringify(config(url)));
    return {
      args: ["run", "--auto", "--model", "scripted/scripted", ...(resume ? ["--continue"] : []), prompt],
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
  noStop: "not in `opencode run`, which ends with the turn",
};

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
