import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { type FilePart, type Host, serverName } from "./host.ts";
import { protectedGlobs } from "./protected.ts";
import { serverFile } from "./server-file.ts";

/**
 * VS Code. Documented on its pages "MCP configuration reference" (`.vscode/mcp.json`, `type` required, `cwd` the workspace) and "Review
 * AI-generated code edits" (`chat.tools.edits.autoApprove`: false asks a person before an edit; nothing denies reading).
 */
export const vscode: Host = {
  id: "vscode",
  title: "VS Code",
  traces: { project: [".vscode"], home: [".vscode", ".vscode-server"], commands: ["code"] },
  files: ({ root, start }) => {
    const { command, args } = start.inProject(cwd);
    return [
      serverFile(join(root, ".vscode/mcp.json"), "servers", { type: "stdio", command, args, cwd }),
      { path: join(root, ".vscode/settings.json"), syntax: "json", parts: protectedGlobs.map(askFirst) },
      agentsFile(root),
    ];
  },
  next: "Open this folder in VS Code and press Start above the server in .vscode/mcp.json.",
  // Documented on its page "MCP developer guide"; not run here.
  link: (start) => {
    const { command, args } = start.inProject(cwd);
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, command, args, cwd }))}`;
  },
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
const cwd = "${workspaceFolder}";

function askFirst(glob: string): FilePart {
  return { kind: "setting", at: ["chat.tools.edits.autoApprove", glob], value: false };
}
