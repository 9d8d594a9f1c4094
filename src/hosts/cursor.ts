import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { hookLine } from "./hook-parts.ts";
import { type Host, rootVariable, serverName } from "./host.ts";
import { protectedBlock } from "./protected.ts";
import { plainHooksFile, serverFile } from "./server-file.ts";

/**
 * Cursor. Documented on its pages "Model Context Protocol (MCP)" (`.cursor/mcp.json`, `${workspaceFolder}` in args and env)
 * and "Ignore file" (`.cursorignore`: Agent, Tab and Inline Edit have no access; terminal commands still do).
 */
export const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  traces: { project: [".cursor"], home: [".cursor"], commands: ["cursor", "cursor-agent"] },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(workspace);
    // Documented on its page "Hooks": plain lists, `version` 1, run from the project's root.
    const handler = (event: string) => ({ command: hookLine(start.inProject("."), "cursor", event), timeout: 10 });
    const env = { [rootVariable]: workspace }; // it starts servers in the project or in the home folder, and has no `cwd`
    return [
      serverFile(join(root, ".cursor/mcp.json"), "mcpServers", { type: "stdio", command, args, env }),
      ...(noHooks ? [] : [plainHooksFile(join(root, ".cursor/hooks.json"), hookEvents, handler)]),
      { path: join(root, ".cursorignore"), syntax: "text", parts: [protectedBlock] },
      agentsFile(root),
    ];
  },
  next: "Open this folder in Cursor, trust the workspace (hooks run only there) and switch the server waymark on under Customize, MCPs.",
  // Documented on its page "MCP Install Links"; not run here.
  link: (start) => {
    const { command, args } = start.inProject(workspace);
    const config = JSON.stringify({ command, args, env: { [rootVariable]: workspace } });
    const query = new URLSearchParams({ name: serverName, config: Buffer.from(config).toString("base64") });
    return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`;
  },
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
const workspace = "${workspaceFolder}";

const hookEvents = [
  "sessionStart",
  "preToolUse",
  "beforeShellExecution",
  "beforeMCPExecution",
  "afterMCPExecution",
  "stop",
];
