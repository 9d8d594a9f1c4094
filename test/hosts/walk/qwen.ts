import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openaiChat } from "../openai-chat.ts";
import type { WalkedHost } from "./walk.ts";

/** Qwen Code without a terminal. */
export const qwen: WalkedHost = {
  title: "Qwen Code",
  client: "qwen",
  dialect: openaiChat,
  entry: "@qwen-code/qwen-code/cli-entry.js",
  isMore: true,
  launch: async ({ prompt, resume }, home, url) => {
    await mkdir(join(home, ".qwen"), { recursive: true });
    await writeFile(join(home, ".qwen/settings.json"), JSON.stringify(settings));
    return {
      args: [prompt, "--yolo", "--auth-type", "openai", "--model", "scripted", ...(resume ? ["--continue"] : [])],
      env: { OPENAI_API_KEY: "none-needed", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" },
    };
  },
  write: (file, content) => ({ own: "write_file", with: { file_path: file, content } }),
  shell: (command) => ({ own: "run_shell_command", with: { command, is_background: false } }),
};

const settings = {
  security: { auth: { selectedType: "openai" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
};
