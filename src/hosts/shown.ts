import type { HostId } from "./host.ts";

/** What a host shows its model of a tool's result. With `structured`, some show an error by its text all the same. */
export type ShownToModel = "text" | "structured" | "both";

/** How a host shows results to its model, and forms to the person. */
export type HostShows = {
  readonly id: HostId;
  /** How the names begin that it gives itself over MCP. */
  readonly clients: readonly string[];
  /** Seen with the host itself (`npm run hosts`), read in its source, or reported by others who looked. */
  readonly basis: "measured" | "its source" | "reported";
  readonly result: ShownToModel;
  /** Whether its model is shown the server's instructions, and the project's AGENTS.md. */
  readonly instructions: boolean;
  readonly agentsFile: boolean;
  /** How a question to a person ends where nobody sits: no host answers it, and none of these is a person's word. */
  readonly headless: "cancels" | "declines" | "waits" | "not asked";
  /** Its forms cannot be sent with a field left empty, so an optional one would have to be filled in. */
  readonly noEmptyFields?: true;
};

const measured = { basis: "measured", instructions: true, agentsFile: true } as const;
/**
 * As seen with the hosts themselves: Claude Code 2.1.325, Codex 0.166, Gemini CLI 0.61, OpenCode 1.18, Qwen Code 0.24
 * (its client is named after the server as well), Copilot CLI 1.0.102. VS Code's own agent and Zed's as their sources of 2026 say;
 * Cursor and Windsurf's Cascade as others report them: Cursor may show structured content beside the text.
 */
export const hostShows: readonly HostShows[] = [
  { ...measured, id: "claude", clients: ["claude-code"], result: "structured", headless: "cancels" },
  {
    ...measured,
    id: "codex",
    clients: ["codex-mcp-client"],
    result: "structured",
    headless: "declines",
    noEmptyFields: true,
  },
  {
    ...measured,
    id: "gemini",
    clients: ["gemini-cli-mcp-client"],
    result: "text",
    agentsFile: false,
    headless: "not asked",
  },
  {
    ...measured,
    id: "qwen",
    clients: ["qwen-cli-mcp-client"],
    result: "both",
    headless: "not asked",
  },
  {
    ...measured,
    id: "copilot",
    clients: ["copilot-cli", "github-copilot-developer"],
    result: "both",
    instructions: false,
    headless: "declines",
  },
  { ...measured, id: "opencode", clients: ["opencode"], result: "text", headless: "not asked" },
  {
    id: "cursor",
    clients: ["cursor"],
    basis: "reported",
    result: "text",
    instructions: true,
    agentsFile: true,
    headless: "waits",
  },
  {
    id: "vscode",
    clients: ["visual studio code"],
    basis: "its source",
    result: "structured",
    instructions: true,
    agentsFile: true,
    headless: "waits",
  },
  {
    id: "windsurf",
    clients: ["windsurf"],
    basis: "reported",
    result: "text",
    instructions: true,
    agentsFile: true,
    headless: "not asked",
  },
  {
    id: "zed",
    clients: ["zed"],
    basis: "its source",
    result: "text",
    instructions: false,
    agentsFile: true,
    headless: "not asked",
  },
];

/** What a server does for a host: how much text goes beside structured content, and whether a form asks for a comment. */
export type HostTraits = { readonly text: "whole" | "line"; readonly comment: boolean };

/** The traits of the host that a client belongs to; one that nobody knows gets everything. */
export function hostTraits(client: string | undefined): HostTraits {
  const name = client?.toLowerCase() ?? "";
  const known = hostShows.find(({ clients }) => clients.some((one) => name.startsWith(one)));
  return { text: known?.result === "both" ? "line" : "whole", comment: known?.noEmptyFields !== true };
}
