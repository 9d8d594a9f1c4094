import { join } from "node:path";
import { type Host, rootVariable } from "./host.ts";
import { protectedBlock } from "./protected.ts";

/**
 * Cursor. Documented on its pages "Model Context Protocol (MCP)" (`.cursor/mcp.json`, `${workspaceFolder}` in args and env)
 * and "Ignore file" (`.cursorignore`: Agent, Tab and Inline Edit have no access; terminal commands still do).
 */
export const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  traces: { project: [".cursor"], home: [".cursor"], commands: ["cursor", "cursor-agent"] },
  files: ({ root, start }) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
    const folder = "${workspaceFolder}";
    const { command, args } = start.inProject(folder);
    const env = { [rootVariable]: folder }; // it starts servers in the project or in the home folder, and has no `cwd`
    return [
      {
        path: join(root, ".cursor/mcp.json"),
        syntax: "json",
        parts: [{ kind: "server", under: "mcpServers", entry: { type: "stdio", command, args, env } }],
      },
      { path: join(root, ".cursorignore"), syntax: "text", parts: [protectedBlock] },
    ];
  },
  next: "Open this folder in Cursor and switch the server waymark on under Customize, MCPs.",
};
