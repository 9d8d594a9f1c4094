import { join } from "node:path";
import type { BlockPart, Host } from "./host.ts";

/**
 * Codex. Documented on its pages "Model Context Protocol" (`[mcp_servers.<name>]` in a project's `.codex/config.toml`,
 * read in trusted projects only) and "AGENTS.md". Its only rules on files are permission profiles, which replace a
 * person's whole sandbox setting: those are theirs to write (docs/hosts.md shows one).
 */
export const codex: Host = {
  id: "codex",
  title: "Codex",
  traces: { project: [".codex"], home: [".codex"], commands: ["codex"] },
  files: ({ root, start }) => {
    const { command, args, fetches } = start.inProject(".");
    const entry = { command, args, ...(fetches ? { startup_timeout_sec: 60 } : {}) };
    return [
      {
        path: join(root, ".codex/config.toml"),
        syntax: "toml",
        parts: [{ kind: "server", under: "mcp_servers", entry }],
      },
      { path: join(root, "AGENTS.md"), syntax: "text", parts: [pointer] },
    ];
  },
  next: "Start `codex` in this folder and trust the folder when it asks.",
};

/** Codex keeps MCP tools back from some models: a line in the instructions is how these learn that there are any. */
const pointer: BlockPart = {
  kind: "block",
  marks: { begin: "<!-- waymark begin -->", end: "<!-- waymark end -->" },
  lines: [
    "This project's process runs through the MCP server `waymark`. Where a request fits one of its bots, find its tools",
    "(search for `waymark` where they are not listed) and call the tool named after the bot first: it says what to do.",
    "Leave `.waymark/`, `workflow_state.json` and `activity_log.json` to the server: do not read or change them.",
  ],
};
