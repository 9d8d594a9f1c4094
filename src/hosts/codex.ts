import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { groupedHooks, hookLine } from "./hook-parts.ts";
import type { Host, HostFile } from "./host.ts";

/**
 * Codex. Documented on its pages "Model Context Protocol" (`[mcp_servers.<name>]` in a project's `.codex/config.toml`,
 * read in trusted projects only), "Hooks" and "AGENTS.md". Its only rules on files are permission profiles, which replace a
 * person's whole sandbox setting: those are theirs to write (docs/hosts.md shows one).
 */
export const codex: Host = {
  id: "codex",
  title: "Codex",
  traces: { project: [".codex"], home: [".codex"], commands: ["codex"] },
  files: ({ root, start, noHooks }) => {
    const { command, args, fetches } = start.inProject(".");
    const entry = { command, args, ...(fetches ? { startup_timeout_sec: 60 } : {}) };
    const handler = (event: string) => ({
      type: "command",
      command: hookLine(start.inProject("."), "codex", event),
      timeout: 10,
    });
    const hooks: HostFile = {
      path: join(root, ".codex/hooks.json"),
      syntax: "json",
      parts: groupedHooks(hookEvents, handler),
    };
    return [
      {
        path: join(root, ".codex/config.toml"),
        syntax: "toml",
        parts: [{ kind: "server", under: "mcp_servers", entry }],
      },
      ...(noHooks ? [] : [hooks]),
      agentsFile(root),
    ];
  },
  next: 'Start `codex` in this folder, trust the folder, and trust the hooks when it says "Hooks need review": until then, and after each change, they are skipped (silently by `codex exec`).',
};

const hookEvents: readonly (readonly [string, string?])[] = [
  ["SessionStart"],
  ["PreToolUse", "Bash|apply_patch|mcp__.*"],
  ["PostToolUse", "mcp__.*"],
  ["Stop"],
];
