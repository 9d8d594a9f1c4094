import { join } from "node:path";
import type { BlockPart, HostFile } from "./host.ts";

/** The project's AGENTS.md with our lines; hosts that load tools on demand learn about them there. */
export function agentsFile(root: string): HostFile {
  return { path: join(root, "AGENTS.md"), syntax: "text", parts: [pointer] };
}

const pointer: BlockPart = {
  kind: "block",
  marks: { begin: "<!-- waymark begin -->", end: "<!-- waymark end -->" },
  lines: [
    "This project's process runs through the MCP server `waymark`. Where a request fits one of its bots or workflows, find",
    "its tools (search for `waymark` where they are not listed) and call the bot's, or `start_workflow`, first: it says what to do.",
    "Leave `.waymark/`, `workflow_state.json` and `activity_log.json` to the server: do not read or change them.",
  ],
};
