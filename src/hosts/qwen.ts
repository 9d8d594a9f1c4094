import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { groupedHooks, hookLine } from "./hook-parts.ts";
import type { Host } from "./host.ts";
import { serverFile } from "./server-file.ts";

/** Qwen Code; it reads AGENTS.md (seen with 0.24.4). Documented on its pages "Configuration" (`mcpServers` in a project's `.qwen/settings.json`) and "Hooks" (Claude Code's events, time limits in milliseconds). */
export const qwen: Host = {
  id: "qwen",
  title: "Qwen Code",
  traces: { project: [".qwen"], home: [".qwen"], commands: ["qwen"] },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(".");
    const handler = (event: string) => ({
      type: "command",
      name: "waymark",
      command: hookLine(start.inProject("."), "qwen", event),
      timeout: 10000,
    });
    return [
      serverFile(
        join(root, ".qwen/settings.json"),
        "mcpServers",
        { command, args },
        noHooks ? [] : groupedHooks(hookEvents, handler),
      ),
      agentsFile(root),
    ];
  },
  next: "Start `qwen` in this folder; /mcp lists the server waymark.",
};

const hookEvents: readonly (readonly [string, string?])[] = [
  ["SessionStart"],
  ["UserPromptSubmit"],
  ["PreToolUse", "write_file|edit|replace|notebook_edit|run_shell_command|mcp__.*"],
  ["PostToolUse"],
  ["PreCompact"],
  ["Stop"],
];
