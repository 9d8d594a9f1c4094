import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { hookLine } from "./hook-parts.ts";
import type { Host } from "./host.ts";
import { plainHooksFile, serverFile } from "./server-file.ts";

/** Copilot CLI. It reads a project's `.mcp.json`, `AGENTS.md` and `.github/hooks/*.json`; documented on "Using hooks with GitHub Copilot". */
export const copilot: Host = {
  id: "copilot",
  title: "Copilot CLI",
  traces: { project: [".github/hooks"], home: [".copilot"], commands: ["copilot"] },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(".");
    const handler = (event: string) => {
      const line = hookLine(start.inProject("."), "copilot", event);
      return { type: "command", bash: line, powershell: line, timeoutSec: 10 };
    };
    return [
      serverFile(join(root, ".mcp.json"), "mcpServers", { type: "stdio", command, args }),
      ...(noHooks ? [] : [plainHooksFile(join(root, ".github/hooks/waymark.json"), hookEvents, handler)]),
      agentsFile(root),
    ];
  },
  next: "Start `copilot` in this folder and trust the folder when it asks.",
};

const hookEvents = ["sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "preCompact", "agentStop"];
