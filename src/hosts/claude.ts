import { join } from "node:path";
import type { Host } from "./host.ts";
import { protectedGlobs } from "./protected.ts";

/**
 * Claude Code. Documented on its pages "Connect Claude Code to tools via MCP" (project scope: `.mcp.json`) and
 * "Configure permissions" (`permissions.deny`; `Edit` rules hold for every tool that edits, `Read` rules for every one that reads).
 * It starts servers in the folder it was started in. Its variables in `.mcp.json` say no more than that: seen with 2.1.325,
 * `${CLAUDE_PROJECT_DIR:-.}` becomes `.`, since that variable is set for the servers alone, and to that same folder.
 */
export const claude: Host = {
  id: "claude",
  title: "Claude Code",
  traces: { project: [".claude"], home: [".claude"], commands: ["claude"] },
  files: ({ root, start }) => {
    const { command, args } = start.inProject(".");
    return [
      {
        path: join(root, ".mcp.json"),
        syntax: "json",
        parts: [{ kind: "server", under: "mcpServers", entry: { type: "stdio", command, args } }],
      },
      {
        path: join(root, ".claude/settings.json"),
        syntax: "json",
        parts: [{ kind: "items", at: ["permissions", "deny"], items: protectedGlobs.flatMap(bothRules) }],
      },
    ];
  },
  next: "Start `claude` in this folder and approve the server waymark when it asks.",
};

function bothRules(glob: string): string[] {
  return [`Read(${glob})`, `Edit(${glob})`];
}
