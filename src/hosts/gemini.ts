import { join } from "node:path";
import { groupedHooks, hookLine } from "./hook-parts.ts";
import type { Host } from "./host.ts";
import { protectedBlock } from "./protected.ts";
import { serverFile } from "./server-file.ts";

/**
 * Gemini CLI. Documented on its pages "MCP servers with Gemini CLI" (`mcpServers` in a project's `.gemini/settings.json`),
 * "Hooks" (time limits in milliseconds) and "Ignoring files" (`.geminiignore`, read at the start of a session).
 */
export const gemini: Host = {
  id: "gemini",
  title: "Gemini CLI",
  traces: { project: [".gemini"], home: [".gemini"], commands: ["gemini"] },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(".");
    const handler = (event: string) => ({
      type: "command",
      name: "waymark",
      command: hookLine(start.inProject("."), "gemini", event),
      timeout: 10000,
    });
    return [
      serverFile(
        join(root, ".gemini/settings.json"),
        "mcpServers",
        { command, args },
        noHooks ? [] : groupedHooks(geminiEvents, handler),
      ),
      { path: join(root, ".geminiignore"), syntax: "text", parts: [protectedBlock] },
    ];
  },
  next: "Start `gemini` in this folder and trust the folder: otherwise it loads neither server nor hooks, and exits at once when headless. /mcp lists the server waymark, /hooks the hooks.",
};

/** The hook events; an extension uses the same. */
export const geminiEvents: readonly (readonly [string, string?])[] = [
  ["SessionStart"],
  ["BeforeAgent"],
  ["BeforeTool", "write_file|replace|edit|run_shell_command|mcp_.*"],
  ["AfterTool", "mcp_.*"],
  ["AfterAgent"],
];
