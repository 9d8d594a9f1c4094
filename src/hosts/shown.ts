import type { HostId } from "./host.ts";

/** What a host shows its model of a tool's result. With `structured`, an error is shown by its text all the same. */
export type ShownToModel = "text" | "structured" | "both";

/** How a host shows results to its model, and forms to the person. */
export type HostShows = {
  readonly id: HostId;
  /** How the names begin that it gives itself over MCP; none where nobody has seen it do so. */
  readonly clients: readonly string[];
  /** Seen with the host itself (`npm run hosts`), or told by its documentation. */
  readonly basis: "measured" | "documented";
  readonly result: ShownToModel | "unknown";
  /** Whether its model is shown the server's instructions, and the project's AGENTS.md. */
  readonly instructions: boolean | "unknown";
  readonly agentsFile: boolean;
  /** How a question to a person ends where nobody sits: no host answers it, and none of these is a person's word. */
  readonly headless: "cancels" | "declines" | "not asked" | "unknown";
  /** Its forms cannot be sent with a field left empty, so an optional one would have to be filled in. */
  readonly noEmptyFields?: true;
};

const measured = { basis: "measured", instructions: true, agentsFile: true } as const;
const documented = {
  clients: [],
  basis: "documented",
  result: "unknown",
  agentsFile: true,
  headless: "unknown",
} as const;

/**
 * As seen with the hosts themselves: Claude Code 2.1.325, Codex 0.166, Gemini CLI 0.61, OpenCode 1.18, Qwen Code 0.24
 * (its client is named after the server as well), Copilot CLI 1.0.102; Cursor, VS Code, Windsurf and Zed as documented.
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
  { ...documented, id: "cursor", instructions: "unknown" },
  { ...documented, id: "vscode", instructions: true },
  { ...documented, id: "windsurf", instructions: "unknown" },
  { ...documented, id: "zed", instructions: "unknown" },
];

/** What a server does for a host: how much text goes beside structured content, and whether a form asks for a comment. */
export type HostTraits = { readonly text: "whole" | "line"; readonly comment: boolean };

/** The traits of the host that a client belongs to; one that nobody knows gets everything. */
export function hostTraits(client: string | undefined): HostTraits {
  const name = client?.toLowerCase() ?? "";
  const known = hostShows.find(({ clients }) => clients.some((one) => name.startsWith(one)));
  return { text: known?.result === "both" ? "line" : "whole", comment: known?.noEmptyFields !== true };
}
