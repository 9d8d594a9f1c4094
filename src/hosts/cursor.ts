import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { hookLine, plainHooks } from "./hook-parts.ts";
import { type CommandLine, type Host, type HostFile, rootVariable } from "./host.ts";
import { protectedBlock } from "./protected.ts";

/**
 * Cursor. Documented on its pages "Model Context Protocol (MCP)" (`.cursor/mcp.json`, `${workspaceFolder}` in args and env)
 * and "Ignore file" (`.cursorignore`: Agent, Tab and Inline Edit have no access; terminal commands still do).
 */
export const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  traces: { project: [".cursor"], home: [".cursor"], commands: ["cursor", "cursor-agent"] },
  files: ({ root, start, noHooks }) => {
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
      ...(noHooks ? [] : [hooksFile(root, start.inProject("."))]),
      { path: join(root, ".cursorignore"), syntax: "text", parts: [protectedBlock] },
      agentsFile(root),
    ];
  },
  next: "Open this folder in Cursor, trust the workspace (hooks run only there) and switch the server waymark on under Customize, MCPs.",
};

/** Documented on its page "Hooks": plain lists, `version` 1, run from the project's root. */
function hooksFile(root: string, start: CommandLine): HostFile {
  const handler = (event: string) => ({ command: hookLine(start, "cursor", event), timeout: 10 });
  return {
    path: join(root, ".cursor/hooks.json"),
    syntax: "json",
    parts: [{ kind: "setting", at: ["version"], value: 1, form: true }, ...plainHooks(hookEvents, handler)],
  };
}

const hookEvents = [
  "sessionStart",
  "preToolUse",
  "beforeShellExecution",
  "beforeMCPExecution",
  "afterMCPExecution",
  "stop",
];
