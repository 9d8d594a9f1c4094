import { join } from "node:path";
import type { Host } from "./host.ts";
import { protectedBlock } from "./protected.ts";

/**
 * Gemini CLI. Documented on its pages "MCP servers with Gemini CLI" (`mcpServers` in a project's
 * `.gemini/settings.json`) and "Ignoring files" (`.geminiignore`, read at the start of a session).
 */
export const gemini: Host = {
  id: "gemini",
  title: "Gemini CLI",
  traces: { project: [".gemini"], home: [".gemini"], commands: ["gemini"] },
  files: ({ root, start }) => {
    const { command, args } = start.inProject(".");
    return [
      {
        path: join(root, ".gemini/settings.json"),
        syntax: "json",
        parts: [{ kind: "server", under: "mcpServers", entry: { command, args } }],
      },
      { path: join(root, ".geminiignore"), syntax: "text", parts: [protectedBlock] },
    ];
  },
  next: "Start `gemini` in this folder; /mcp lists the server waymark.",
};
