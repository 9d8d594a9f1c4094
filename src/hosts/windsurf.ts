import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import type { Host } from "./host.ts";
import { protectedBlock } from "./protected.ts";
import { serverFile } from "./server-file.ts";

/**
 * Windsurf, since June 2026 Devin Desktop. Documented on its pages "Cascade: Model Context Protocol (MCP)" (before the
 * new name: `~/.codeium/windsurf/mcp_config.json`, for all projects), "MCP Configuration" (since: a project's
 * `.devin/mcp_config.json`, with no key but command, args and env) and "Devin Desktop Ignore" (`.codeiumignore`, both).
 */
export const windsurf: Host = {
  id: "windsurf",
  title: "Windsurf (Devin Desktop)",
  traces: {
    project: [".windsurf", ".devin"],
    home: [".codeium/windsurf", ".config/devin"],
    commands: ["windsurf", "devin"],
  },
  files: ({ root, home, start }) => {
    const here = start.inProject(".");
    const anywhere = start.onThisMachine;
    return [
      serverFile(join(root, ".devin/mcp_config.json"), "mcpServers", { command: here.command, args: here.args }),
      {
        path: join(home, ".codeium/windsurf/mcp_config.json"),
        syntax: "json",
        parts: [
          { kind: "server", under: "mcpServers", entry: { command: anywhere.command, args: anywhere.args }, root },
        ],
      },
      { path: join(root, ".codeiumignore"), syntax: "text", parts: [protectedBlock] },
      agentsFile(root),
    ];
  },
  next: "Open this folder in Windsurf or Devin Desktop and press refresh in its list of MCP servers.",
};
