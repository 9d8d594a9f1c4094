import type { HostId } from "./host.ts";

/** The parts of a tool's result that a host shows its model; with `structured`, some still show an error's text. */
export type ShownToModel = "text" | "structured" | "both";

/** The way a host shows results to its model and forms to people. */
export type HostDisplay = {
  /** The prefixes of the client names it uses over MCP. */
  readonly clients: readonly string[];
  /** The basis: measured with the host (`npm run hosts`), read in its source, or reported by others. */
  readonly basis: "measured" | "its source" | "reported";
  readonly result: ShownToModel;
  /** True if its model sees the server's instructions and the project's AGENTS.md. */
  readonly instructions: boolean;
  readonly agentsFile: boolean;
  /** The end of a question when no one is there; none of these is an approval. */
  readonly headless: "cancels" | "declines" | "waits" | "not asked";
  /** True if its forms require every field, so that an optional one would have to be filled in. */
  readonly noEmptyFields?: true;
};

const usual = { instructions: true, agentsFile: true } as const;
const measured = { ...usual, basis: "measured" } as const;
/**
 * As seen with the hosts themselves: Claude Code 2.1.325, Codex 0.166, Gemini CLI 0.61, OpenCode 1.18, Qwen Code 0.24
 * (its client is also named after the server), Copilot CLI 1.0.102. VS Code and Zed from their sources of 2026; Cursor and
 * Windsurf's Cascade as others report them: Cursor may show structured content beside the text.
 */
export const hostDisplays: Readonly<Record<HostId, HostDisplay>> = {
  claude: { ...measured, clients: ["claude-code"], result: "structured", headless: "cancels" },
  codex: {
    ...measured,
    clients: ["codex-mcp-client"],
    result: "structured",
    headless: "declines",
    noEmptyFields: true,
  },
  gemini: {
    ...{ ...measured, agentsFile: false },
    ...{ clients: ["gemini-cli-mcp-client"], result: "text", headless: "not asked" },
  },
  qwen: { ...measured, clients: ["qwen-cli-mcp-client"], result: "both", headless: "not asked" },
  copilot: {
    ...{ ...measured, instructions: false },
    ...{ clients: ["copilot-cli", "github-copilot-developer"], result: "both", headless: "declines" },
  },
  opencode: { ...measured, clients: ["opencode"], result: "text", headless: "not asked" },
  cursor: { ...usual, basis: "reported", clients: ["cursor"], result: "text", headless: "waits" },
  vscode: { ...usual, basis: "its source", clients: ["visual studio code"], result: "structured", headless: "waits" },
  windsurf: { ...usual, basis: "reported", clients: ["windsurf"], result: "text", headless: "not asked" },
  zed: { ...usual, instructions: false, basis: "its source", clients: ["zed"], result: "text", headless: "not asked" },
};

/** The server's behavior for a host: how much text goes beside structured content, and whether forms ask for a comment. */
export type HostTraits = { readonly text: "whole" | "line"; readonly comment: boolean };

/** The traits of a client's host; an unknown client gets everything. */
export function hostTraits(client: string | undefined): HostTraits {
  const name = client?.toLowerCase() ?? "";
  const known = Object.values(hostDisplays).find(({ clients }) => clients.some((one) => name.startsWith(one)));
  return { text: known?.result === "both" ? "line" : "whole", comment: known?.noEmptyFields !== true };
}
