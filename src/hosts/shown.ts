/** What a host shows its model of a tool's result. With `structured`, an error is shown by its text all the same. */
export type ShownToModel = "text" | "structured" | "both";

/** How a host shows results to its model, and forms to the person. */
export type HostShows = {
  /** How the names begin that it gives itself over MCP. */
  readonly clients: readonly string[];
  readonly result: ShownToModel;
  /** Whether its model is shown the server's instructions, and the project's AGENTS.md. */
  readonly instructions: boolean;
  readonly agentsFile: boolean;
  /** How a question to a person ends where nobody sits: no host answers it, and none of these is a person's word. */
  readonly headless: "cancels" | "declines" | "not asked";
  /** Its forms cannot be sent with a field left empty, so an optional one would have to be filled in. */
  readonly noEmptyFields?: true;
};

/**
 * As seen with the hosts themselves: Claude Code 2.1.325, Codex 0.166, Gemini CLI 0.61, OpenCode 1.18, Qwen Code 0.24
 * (its client is named after the server as well), Copilot CLI 1.0.102.
 */
export const hostShows: readonly HostShows[] = [
  { clients: ["claude-code"], result: "structured", instructions: true, agentsFile: true, headless: "cancels" },
  {
    clients: ["codex-mcp-client"],
    result: "structured",
    instructions: true,
    agentsFile: true,
    headless: "declines",
    noEmptyFields: true,
  },
  { clients: ["gemini-cli-mcp-client"], result: "text", instructions: true, agentsFile: false, headless: "not asked" },
  { clients: ["opencode"], result: "text", instructions: true, agentsFile: true, headless: "not asked" },
  { clients: ["qwen-cli-mcp-client"], result: "both", instructions: true, agentsFile: false, headless: "not asked" },
  {
    clients: ["copilot-cli", "github-copilot-developer"],
    result: "both",
    instructions: false,
    agentsFile: true,
    headless: "declines",
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
