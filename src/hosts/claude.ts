import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { groupedHooks, hookLine } from "./hook-parts.ts";
import type { Host } from "./host.ts";
import { protectedGlobs } from "./protected.ts";
import { serverFile } from "./server-file.ts";

/**
 * Claude Code. Documented on its pages "Connect Claude Code to tools via MCP" (project scope: `.mcp.json`), "Configure
 * permissions" (`permissions.deny`; `Edit` rules apply to all tools that edit, `Read` rules to all that read) and "Hooks
 * reference". It starts servers in the folder it was started in. Its variables in `.mcp.json` add nothing to that: seen with
 * 2.1.325, `${CLAUDE_PROJECT_DIR:-.}` becomes `.`, since that variable is set only for the servers, to that same folder.
 * Hooks have it; VS Code, which runs them too, does not.
 */
export const claude: Host = {
  id: "claude",
  title: "Claude Code",
  traces: { project: [".claude"], home: [".claude"], commands: ["claude"] },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(".");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    const here = start.inProject("${CLAUDE_PROJECT_DIR:-.}");
    const handler = (event: string) => ({ type: "command", command: hookLine(here, "claude", event), timeout: 10 });
    return [
      serverFile(join(root, ".mcp.json"), "mcpServers", { type: "stdio", command, args }),
      {
        path: join(root, ".claude/settings.json"),
        syntax: "json",
        parts: [
          { kind: "items", at: ["permissions", "deny"], items: protectedGlobs.flatMap(bothRules) },
          ...(noHooks ? [] : groupedHooks(hookEvents, handler)),
        ],
      },
      agentsFile(root),
    ];
  },
  next: "Start `claude` in this folder; trust the folder (the default answer is no) and approve the server waymark (the default is to continue without it). This also trusts .claude/settings.json.",
};

/** The hook events and their tools: those that edit, the shell, and ours. */
const hookEvents: readonly (readonly [string, string?])[] = [
  ["SessionStart"],
  ["PreToolUse", "Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*"],
  ["PostToolUse", "mcp__.*"],
  ["Stop"],
];

function bothRules(glob: string): string[] {
  return [`Read(${glob})`, `Edit(${glob})`];
}
