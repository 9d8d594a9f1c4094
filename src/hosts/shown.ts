/** What a host shows its model of a tool's result. With `structured`, an error is shown by its text all the same. */
export type ShownToModel = "text" | "structured" | "both";

/**
 * By how each client's name over MCP begins, as seen with the hosts themselves: Claude Code 2.1.325, Codex 0.166, Gemini
 * CLI 0.61, OpenCode 1.18, Qwen Code 0.24 (its client is named after the server as well), Copilot CLI 1.0.102.
 */
export const shownToModel: readonly { readonly client: string; readonly shows: ShownToModel }[] = [
  { client: "claude-code", shows: "structured" },
  { client: "codex-mcp-client", shows: "structured" },
  { client: "gemini-cli-mcp-client", shows: "text" },
  { client: "opencode", shows: "text" },
  { client: "qwen-cli-mcp-client", shows: "both" },
  { client: "github-copilot-developer", shows: "both" },
];

/** How much text goes beside structured content: a line where the host shows both, else everything. */
export function textFor(client: string | undefined): "whole" | "line" {
  const known = shownToModel.find((host) => client?.toLowerCase().startsWith(host.client));
  return known?.shows === "both" ? "line" : "whole";
}
