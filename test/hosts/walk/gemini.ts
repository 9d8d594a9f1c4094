import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { googleGenerate } from "../google-generate.ts";
import type { WalkedHost } from "./walk.ts";

/** Gemini CLI without a terminal, in a folder that is trusted for the run. */
export const gemini: WalkedHost = {
  title: "Gemini CLI",
  client: "gemini",
  dialect: googleGenerate,
  entry: "@google/gemini-cli/bundle/gemini.js",
  isMore: true,
  launch: async ({ prompt, resume }, home, url) => {
    await mkdir(join(home, ".gemini"), { recursive: true });
    await writeFile(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    return {
      args: [
        ...["--prompt", prompt, "--approval-mode", "yolo", "--model", "gemini-2.5-pro"],
        ...(resume ? ["--resume", "latest"] : []),
      ],
      env: {
        GEMINI_API_KEY: "none-needed",
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_TELEMETRY_ENABLED: "false",
        GEMINI_CLI_TRUST_WORKSPACE: "true", // with --skip-trust it would load neither the project's server nor its hooks
      },
    };
  },
  write: (file, content) => ({ own: "write_file", with: { file_path: file, content } }),
  shell: (command) => ({ own: "run_shell_command", with: { command } }),
  cardAfterCompaction: "yes, from the prompt: it says nothing after a compaction",
};

const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};
