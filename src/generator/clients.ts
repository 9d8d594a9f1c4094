import { type Files, jsonFile, textFile } from "./files.ts";
import type { Identity } from "./identity.ts";

/** Where the config of one host belongs, and how people call that host. */
export type ClientConfig = { readonly host: string; readonly file: string; readonly place: string };

/** The hosts that a package brings a config for. */
export const clientConfigs: readonly ClientConfig[] = [
  { host: "Claude Code", file: "claude/.mcp.json", place: "`.mcp.json` in the project" },
  { host: "Cursor", file: "cursor/.cursor/mcp.json", place: "`.cursor/mcp.json` in the project" },
  { host: "VS Code", file: "vscode/.vscode/mcp.json", place: "`.vscode/mcp.json` in the project" },
  { host: "Codex", file: "codex/.codex/config.toml", place: "`.codex/config.toml` in a trusted project" },
  { host: "Gemini CLI", file: "gemini/.gemini/settings.json", place: "`.gemini/settings.json` in the project" },
  { host: "Windsurf", file: "windsurf/mcp_config.json", place: "`~/.codeium/windsurf/mcp_config.json`" },
  { host: "Zed", file: "zed/.zed/settings.json", place: "`.zed/settings.json` in the project" },
];

/** Writes the server's entry in the config of every host, each in that host's own format. */
export function clientFiles(identity: Identity): Files {
  const { key } = identity;
  const { command, args } = startCommand(identity);
  const entry = { command, args };
  const at = (folder: string) => ({ command, args: [...args, "--root", folder] });
  const workspace = at(`\${workspaceFolder}`);
  return new Map([
    ["claude/.mcp.json", jsonFile({ mcpServers: { [key]: { type: "stdio", ...entry } } })],
    ["cursor/.cursor/mcp.json", jsonFile({ mcpServers: { [key]: { type: "stdio", ...workspace } } })],
    ["vscode/.vscode/mcp.json", jsonFile({ servers: { [key]: { type: "stdio", ...workspace } } })],
    ["codex/.codex/config.toml", textFile(codexEntry(key, entry))],
    ["gemini/.gemini/settings.json", jsonFile({ mcpServers: { [key]: entry } })],
    // Windsurf has one config for all projects, and no word for the one that is open.
    ["windsurf/mcp_config.json", jsonFile({ mcpServers: { [key]: at("/path/to/your/project") } })],
    ["zed/.zed/settings.json", jsonFile({ context_servers: { [key]: entry } })],
  ]);
}

/** How a host starts the server. A name that nobody has chosen may be somebody else's on npm, so it is never fetched. */
export function startCommand({ name, bin, isPrivate }: Identity): { command: string; args: readonly string[] } {
  return { command: "npx", args: isPrivate ? ["--no", "--", bin] : ["-y", name] };
}

/** JSON writes plain texts as TOML does. */
function codexEntry(key: string, { command, args }: { command: string; args: readonly string[] }): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(", ");
  return `[mcp_servers.${key}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`;
}
