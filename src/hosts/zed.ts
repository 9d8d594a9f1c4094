import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import type { Host } from "./host.ts";
import { protectedGlobs } from "./protected.ts";
import { serverFile } from "./server-file.ts";

/**
 * Zed. Documented on its pages "Model Context Protocol" (`context_servers`), "Zed and trusted worktrees" (a project's
 * `.zed/settings.json` may hold them) and "All Settings" (`private_files`, to which a project adds its own).
 */
export const zed: Host = {
  id: "zed",
  title: "Zed",
  traces: { project: [".zed"], home: [".config/zed"], commands: ["zed", "zeditor"] },
  files: ({ root, start }) => {
    const { command, args } = start.inProject(".");
    return [
      serverFile(join(root, ".zed/settings.json"), "context_servers", { command, args }, [
        { kind: "items", at: ["private_files"], items: protectedGlobs },
      ]),
      agentsFile(root),
    ];
  },
  next: "Open this folder in Zed and trust it when it asks; the server is listed in the agent panel's settings.",
};
